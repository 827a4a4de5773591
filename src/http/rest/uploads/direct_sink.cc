#include "http/rest/uploads/direct_sink.h"

#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "darkroom/media_type.h"
#include "flows/media_keys.h"
#include "flows/uploads/resumable_upload.h"
#include "http/rest/protocol/reasons.h"
#include "http/rest/uploads/handlers.h"
#include "http/rest/uploads/tus.h"
#include "http/rest/uploads/upload_answers.h"
#include "http/rest/uploads/upload_claim.h"

namespace tintype::http::rest {
namespace {

Error WrongSize(int64_t announced) {
  return Error(reasons::kWrongSize, StrCat("The file was announced with ", announced,
                                           " bytes; this body has another length."));
}

}  // namespace

DirectSink::DirectSink(Api& api, Pool& pool, const Call& call)
    : api_(api), pool_(pool), call_(call) {}

void DirectSink::Write(std::string_view piece, OnceCallback<std::optional<Response>> next) {
  const auto take = [this, piece] {
    const Status taken = Take(piece);
    if (!taken.ok()) {
      LetGo();
    }
    return taken.ok() ? std::nullopt : std::optional(Refuse(*call_, taken.error()));
  };
  call_.TakeOnPool(api_, pool_, take, std::move(next));
}

Status DirectSink::Begin() {
  const std::string& id = call_->parameters[0];
  RETURN_IF_ERROR(flows::FindDirectUpload(api_.product, id));
  ASSIGN_OR_RETURN(claim_, TakeUpload(api_, id));
  const UploadTurn turn(*claim_);
  RETURN_IF_ERROR(turn.status());
  ASSIGN_OR_RETURN(upload_, flows::FindDirectUpload(api_.product, id));
  const auto length = ParseDigits<int64_t>(call_->request.Header("content-length").value_or(""));
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
  const UploadTurn turn(*claim_);
  RETURN_IF_ERROR(turn.status());
  RETURN_IF_ERROR(CheckDisk(api_, static_cast<int64_t>(piece.size())));
  bytes_ += static_cast<int64_t>(piece.size());
  if (bytes_ > upload_->length) {
    return WrongSize(upload_->length);
  }
  return writer_->Write(piece);
}

Status DirectSink::Commit() {
  if (writer_ == nullptr || bytes_ != upload_->length) {
    return writer_ == nullptr ? Error::Validation("The file is empty.")
                              : WrongSize(upload_->length);
  }
  const UploadTurn turn(*claim_);
  RETURN_IF_ERROR(turn.status());
  RETURN_IF_ERROR(writer_->Commit());
  Status prolonged = flows::ProlongUpload(api_.product, *upload_);
  if (!prolonged.ok() && prolonged.error().kind() == ErrorKind::kNotFound) {
    // It was given up, as only its own server may; then nobody else would remove the blob.
    RETURN_IF_ERROR(api_.product.blobs.Delete(
        {api_.product.config.uploads_bucket, flows::DirectKey(upload_->id)}));
  }
  return prolonged;
}

// Before the client is answered: its next request may be here at once.
void DirectSink::LetGo() {
  writer_.reset();
  claim_.reset();
}

Response DirectSink::Finish() {
  const Status committed = Commit();
  LetGo();
  return committed.ok() ? Response{} : Refuse(*call_, committed.error());
}

}  // namespace tintype::http::rest
