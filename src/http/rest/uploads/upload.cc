#include "http/rest/uploads/upload.h"

#include <algorithm>
#include <utility>

#include "base/logging.h"
#include "base/numbers.h"
#include "base/percent.h"
#include "base/strings.h"
#include "darkroom/media_type.h"
#include "flows/media_keys.h"
#include "flows/uploads/storage_quota.h"
#include "http/rest/api/audited_operations.h"
#include "http/rest/api/known_names.h"
#include "http/rest/uploads/handlers.h"
#include "http/rest/uploads/tus.h"
#include "http/rest/uploads/upload_answers.h"

namespace tintype::http::rest {
namespace {

/// Unannounced bytes are charged in such steps as they come: little more than there is room for is
/// received for nothing, and there are few transactions.
constexpr int64_t kChargedAtOnce = int64_t{16} << 20;

}  // namespace

UploadSink::UploadSink(Api& api, Pool& pool, const Call& call)
    : api_(api), pool_(pool), call_(call) {
  const auto boundary = MultipartBoundary(call_->request.Header("content-type").value_or(""));
  if (boundary) {
    form_.emplace(
        *boundary, [this](std::string_view bytes) { return TakeFile(bytes); },
        [&form = *call_->operation->form](std::string_view name) { return CheckPart(form, name); });
  }
}

UploadSink::~UploadSink() {
  if (!upload_ || completed_) {
    return;
  }
  // Not on the thread of the server that found the client gone. Anything that cannot be done now is
  // done when the upload's time has passed.
  OnceCallback<> abandon([&product = api_.product, id = upload_->id, claim = std::move(claim_),
                          writer = std::move(writer_), late = late_bytes_]() mutable {
    writer.reset();
    const Status abandoned = claim != nullptr ? flows::AbandonClaimed(product, *claim, late)
                                              : flows::AbandonUpload(product, id, late);
    if (!abandoned.ok()) {
      LogWarning("upload not given up yet", {{"id", id}, {"error", abandoned.error().message()}});
    }
  });
  pool_.Submit(std::move(abandon), {});
}

void UploadSink::Write(std::string_view piece, OnceCallback<std::optional<Response>> next) {
  const auto take = [this, piece] {
    const Status taken = Take(piece);
    return taken.ok() ? std::nullopt : std::optional(Refuse(*call_, taken.error()));
  };
  call_.TakeOnPool(api_, pool_, take, std::move(next));
}

Status UploadSink::Take(std::string_view bytes) {
  return form_ ? form_->Write(bytes) : TakeFile(bytes);
}

Status UploadSink::ReadParameters() {
  const auto parameter = [&](const std::string& name) {
    std::optional<std::string> given = call_->target.Parameter(name);
    if (!given && form_) {
      const auto field = form_->fields().find(name);
      // A form that a person left empty says nothing.
      if (field != form_->fields().end() && !field->second.empty()) {
        given = field->second;
      }
    }
    return given;
  };
  return ReadUploadTexts(parameter, request_);
}

Status UploadSink::Begin() {
  const auto header = call_->request.Header("x-filename");
  request_.filename =
      UploadFilename(form_ ? form_->filename() : PercentDecode(header.value_or("")).value_or(""));
  request_.correlation_id = call_->request_id;
  RETURN_IF_ERROR(ReadParameters());
  RETURN_IF_ERROR(CheckUploadRate(api_, call_->account()));
  const int64_t announced =
      ParseDigits<int64_t>(call_->request.Header("content-length").value_or("")).value_or(0);
  RETURN_IF_ERROR(CheckDisk(api_, announced));
  // Of a form that is more than the file, by about so much.
  constexpr int64_t kFormBytes = 4096;
  request_.length = form_ ? std::max<int64_t>(0, announced - kFormBytes) : announced;
  ASSIGN_OR_RETURN(upload_, flows::BeginUpload(api_.product, call_->account(), request_));
  charged_ = request_.length;
  ASSIGN_OR_RETURN(claim_, api_.product.spool.Take(upload_->id));
  RETURN_IF_ERROR(claim_->Begin());
  ASSIGN_OR_RETURN(auto writer, api_.product.blobs.Create({api_.product.config.uploads_bucket,
                                                           flows::UploadKey(upload_->id)}));
  writer_ = std::make_unique<blobs::HashingWriter>(std::move(writer));
  return OkStatus();
}

Status UploadSink::TakeRoom() {
  if (bytes_ - charged_ < kChargedAtOnce) {
    return OkStatus();
  }
  RETURN_IF_ERROR(flows::SettleUpload(api_.product, call_->account(), upload_->id, bytes_));
  charged_ = bytes_;
  return OkStatus();
}

Status UploadSink::TakeFile(std::string_view bytes) {
  if (!upload_) {
    RETURN_IF_ERROR(Begin());
  }
  RETURN_IF_ERROR(CheckDisk(api_, static_cast<int64_t>(bytes.size())));
  bytes_ += static_cast<int64_t>(bytes.size());
  RETURN_IF_ERROR(CheckUploadSize(api_, bytes_));
  RETURN_IF_ERROR(TakeRoom());
  if (first_bytes_.size() < darkroom::kMediaTypeBytes) {
    first_bytes_.append(bytes.substr(0, darkroom::kMediaTypeBytes - first_bytes_.size()));
  }
  return writer_->Write(bytes);
}

Result<flows::CompletedUpload> UploadSink::Complete() {
  if (form_) {
    RETURN_IF_ERROR(form_->Finish());
    RETURN_IF_ERROR(ReadParameters());
  }
  if (!upload_) {
    return Error::Validation("The file is empty.");
  }
  const std::string type = darkroom::UploadedType(first_bytes_);
  const blobs::ContentHashes hashes = writer_->hashes();
  if (const auto stored = writer_->Commit(); !stored.ok()) {
    late_bytes_ = stored.error().kind() == ErrorKind::kUnavailable ? flows::LateBytes::kPossible
                                                                   : flows::LateBytes::kNone;
    return stored.error();
  }
  return flows::CompleteUpload(api_.product, call_->account(), *upload_, request_,
                               {bytes_, hashes.md5, hashes.sha256, type});
}

Response UploadSink::Finish() {
  const Result<flows::CompletedUpload> done = Complete();
  if (!done.ok()) {
    return Refuse(*call_, done.error());
  }
  completed_ = true;
  api_.wake();
  AuditUpload(api_.audit, *call_, *done);
  return AnswerUpload(api_, *call_, *done);
}

BodyDecision TakeImage(Api& api, Pools pools, const Call& call) {
  return {std::make_unique<UploadSink>(api, pools.storage, call), std::nullopt};
}

Response PostImage(Api& /*api*/, const Call& call) {
  auto* sink = dynamic_cast<UploadSink*>(call.request.sink.get());
  // A request without a body never had a sink.
  return sink == nullptr ? Refuse(call, Error::Validation("The file is empty.")) : sink->Finish();
}

}  // namespace tintype::http::rest
