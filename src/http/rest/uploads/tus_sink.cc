#include "http/rest/uploads/tus_sink.h"

#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "contract/limits.h"
#include "http/rest/api/audited_operations.h"
#include "http/rest/protocol/conditions.h"
#include "http/rest/protocol/reasons.h"
#include "http/rest/uploads/handlers.h"
#include "http/rest/uploads/tus.h"
#include "http/rest/uploads/upload_answers.h"

namespace tintype::http::rest {
namespace {

std::optional<int64_t> NumberIn(const Call& call, std::string_view header) {
  return ParseDigits<int64_t>(call.request.Header(header).value_or(""));
}

Status ReadCreation(const Api& api, const Call& call, flows::UploadRequest& request,
                    flows::LongUpload& announced) {
  for (const std::string_view other : {"upload-defer-length", "upload-concat"}) {
    if (call.request.Header(other)) {
      return Error::Validation(
          StrCat("`", other,
                 "` is an extension that this server does not have: Upload-Length has "
                 "to say how long the file is."));
    }
  }
  const std::optional<int64_t> length = NumberIn(call, "upload-length");
  if (!length) {
    return Error::Validation("Upload-Length has to say how many bytes the file has.");
  }
  if (*length == 0) {
    return Error::Validation("The file is empty.");
  }
  RETURN_IF_ERROR(CheckUploadSize(api, *length));
  announced.length = *length;
  announced.metadata = call.request.Header("upload-metadata").value_or("");
  RETURN_IF_ERROR(
      limits::CheckText("Upload-Metadata", announced.metadata, limits::kUploadMetadata));
  ASSIGN_OR_RETURN(const TusMetadata metadata, ParseTusMetadata(announced.metadata));
  const auto text = [&](const std::string& name) {
    const auto found = metadata.find(name);
    return found == metadata.end() || found->second.empty() ? std::nullopt
                                                            : std::optional(found->second);
  };
  request.filename = UploadFilename(text("filename").value_or(""));
  request.correlation_id = call.request_id;
  return ReadUploadTexts(text, request);
}

Status CreateUpload(Api& api, const Call& call, ResumableWrite& write) {
  flows::UploadRequest request;
  flows::LongUpload announced;
  RETURN_IF_ERROR(ReadCreation(api, call, request, announced));
  RETURN_IF_ERROR(CheckUploadRate(api, call.account()));
  return write.Create(request, announced);
}

Status OpenUpload(const Call& call, ResumableWrite& write) {
  const std::optional<int64_t> offset = NumberIn(call, "upload-offset");
  if (!offset) {
    return Error::Validation("Upload-Offset has to say where the bytes begin.");
  }
  return write.Open(call.parameters[0], *offset, NumberIn(call, "content-length"));
}

}  // namespace

std::optional<Response> RefuseTusHead(const Call& call, bool has_body) {
  if (call.request.Header("tus-resumable") != kTusVersion) {
    Response response = Refuse(call, reasons::kUnsupportedTusVersion,
                               StrCat("Tus-Resumable has to be ", kTusVersion, "."));
    response.headers.emplace_back("Tus-Version", kTusVersion);
    return response;
  }
  if (has_body && call.request.Header("content-type") != kTusContentType) {
    return Refuse(call, reasons::kUnsupportedContentType,
                  StrCat("The body of an upload has the Content-Type ", kTusContentType, "."));
  }
  return std::nullopt;
}

Status BeginTus(Api& api, const Call& call, bool creates, ResumableWrite& write) {
  std::optional<TusChecksum> checksum;
  if (const auto header = call.request.Header("upload-checksum")) {
    ASSIGN_OR_RETURN(checksum, ParseTusChecksum(*header));
    RETURN_IF_ERROR(write.Expect(*checksum));
  }
  return creates ? CreateUpload(api, call, write) : OpenUpload(call, write);
}

Response FinishTus(Api& api, const Call& call, bool creates, ResumableWrite& write) {
  const Result<std::optional<flows::CompletedUpload>> completed = write.Finish();
  write.Leave();
  if (!completed.ok()) {
    return Refuse(call, completed.error());
  }
  Response response;
  response.status = creates ? 201 : 204;
  if (creates) {
    response.headers.emplace_back("Location", StrCat("/api/v1/uploads/", write.upload().id));
  }
  response.headers.emplace_back("Upload-Offset", std::to_string(write.upload().offset));
  if (*completed) {
    AuditUpload(api.audit, call, **completed);
    AddImageHeaders(**completed, response);
  } else {
    response.headers.emplace_back("Upload-Expires", HttpDate(write.upload().expires_ms / 1000));
  }
  return response;
}

TusSink::TusSink(Api& api, Pool& pool, const Call& call, bool creates)
    : api_(api), pool_(pool), call_(call), creates_(creates) {}

TusSink::~TusSink() {
  if (!begun_) {
    return;
  }
  // Not on the thread of the server that found the client gone. Bytes that cannot be kept then are
  // sent again.
  pool_.Submit([write = std::move(write_)] { write->Leave(); }, {});
}

void TusSink::Write(std::string_view piece, OnceCallback<std::optional<Response>> next) {
  const auto take = [this, piece] {
    const Status taken = Take(piece);
    std::optional<Response> refusal;
    if (!taken.ok()) {
      write_->Leave();
      refusal = Refuse(*call_, taken.error());
    }
    return refusal;
  };
  call_.TakeOnPool(api_, pool_, take, std::move(next));
}

Status TusSink::Begin() {
  begun_ = true;
  write_ = std::make_unique<ResumableWrite>(api_, call_->account());
  return BeginTus(api_, *call_, creates_, *write_);
}

Status TusSink::Take(std::string_view piece) {
  if (!begun_) {
    RETURN_IF_ERROR(Begin());
  }
  return write_->Append(piece);
}

Response TusSink::Finish() {
  if (!begun_) {
    // A body in chunks, of which there were none: nobody has looked at the caller yet.
    if (const Status admitted = call_.AdmitCaller(api_); !admitted.ok()) {
      return Refuse(*call_, admitted.error());
    }
    if (const Status begun = Begin(); !begun.ok()) {
      write_->Leave();
      return Refuse(*call_, begun.error());
    }
  }
  return FinishTus(api_, *call_, creates_, *write_);
}

}  // namespace tintype::http::rest
