#include "http/rest/direct_sink.h"

#include <utility>

#include "base/strings.h"
#include "darkroom/media_type.h"
#include "flows/media_keys.h"
#include "flows/upload.h"
#include "http/rest/handlers.h"
#include "http/rest/tus.h"
#include "http/rest/upload_answers.h"

namespace tintype::http::rest {
namespace {

Error WrongSize(int64_t announced) {
  return RefusalError(
      400, "WrongSize",
      StrCat("The file was announced with ", announced, " bytes; this body has another length."));
}

}  // namespace

DirectSink::DirectSink(Api& api, Pool& pool, const Call& call)
    : api_(api), pool_(pool), call_(call) {}

void DirectSink::Write(std::string_view piece, OnceCallback<std::optional<Response>> next) {
  const auto take = [this, piece] {
    const Status taken = Take(piece);
    return taken.ok() ? std::nullopt : std::optional(RefuseUpload(*call_, taken.error()));
  };
  call_.TakeOnPool(pool_, take, std::move(next));
}

Status DirectSink::Begin() {
  ASSIGN_OR_RETURN(upload_, api_.product.intake.FindUpload(call_->parameters[0]));
  if (!upload_ || upload_->kind != contexts::intake::UploadKind::kDirect) {
    return Error::NotFound("There is no such upload, or it has ended.");
  }
  const auto length = ParseTusNumber(call_->request.Header("content-length").value_or(""));
  if (length && *length != upload_->length) {
    return WrongSize(upload_->length);
  }
  RETURN_IF_ERROR(CheckDisk(api_, upload_->length));
  ASSIGN_OR_RETURN(writer_, api_.product.blobs.Create({api_.product.config.uploads_bucket,
                                                       flows::DirectKey(upload_->id)}));
  return OkStatus();
}

Status DirectSink::Take(std::string_view piece) {
  if (writer_ == nullptr) {
    RETURN_IF_ERROR(Begin());
  }
  RETURN_IF_ERROR(CheckDisk(api_, static_cast<int64_t>(piece.size())));
  bytes_ += static_cast<int64_t>(piece.size());
  if (bytes_ > upload_->length) {
    return WrongSize(upload_->length);
  }
  if (first_bytes_.size() < darkroom::kMediaTypeBytes) {
    first_bytes_.append(piece.substr(0, darkroom::kMediaTypeBytes - first_bytes_.size()));
    const Result<std::string> type = AcceptedType(first_bytes_);
    if (!type.ok() && first_bytes_.size() == darkroom::kMediaTypeBytes) {
      // What cannot be done now is done when the upload's time has passed.
      flows::AbandonUpload(api_.product, upload_->id).PermitUncheckedError();
      return type.error();
    }
  }
  return writer_->Write(piece);
}

Status DirectSink::Commit() {
  if (writer_ == nullptr || bytes_ != upload_->length) {
    return writer_ == nullptr ? Error::Validation("The file is empty.")
                              : WrongSize(upload_->length);
  }
  RETURN_IF_ERROR(writer_->Commit());
  // It may have been given up meanwhile; then nobody would remove the blob.
  ASSIGN_OR_RETURN(const auto upload, api_.product.intake.FindUpload(upload_->id));
  if (!upload) {
    RETURN_IF_ERROR(api_.product.blobs.Delete(
        {api_.product.config.uploads_bucket, flows::DirectKey(upload_->id)}));
    return Error::NotFound("The upload was given up.");
  }
  return OkStatus();
}

Response DirectSink::Finish() {
  const Status committed = Commit();
  return committed.ok() ? Response{} : RefuseUpload(*call_, committed.error());
}

}  // namespace tintype::http::rest
