#include <memory>
#include <utility>

#include "base/strings.h"
#include "flows/uploads/resumable_upload.h"
#include "http/rest/api/audited_operations.h"
#include "http/rest/protocol/conditions.h"
#include "http/rest/protocol/reasons.h"
#include "http/rest/uploads/handlers.h"
#include "http/rest/uploads/resumable_write.h"
#include "http/rest/uploads/tus.h"
#include "http/rest/uploads/tus_sink.h"
#include "http/rest/uploads/upload_answers.h"
#include "http/rest/uploads/upload_claim.h"

/// Resumable uploads by tus 1.0.
namespace tintype::http::rest {
namespace {

using contexts::intake::Upload;
using contexts::intake::UploadKind;

BodyDecision TakeTusBody(Api& api, Pools pools, const Call& call, bool creates) {
  if (auto refusal = RefuseTusHead(call, true)) {
    return {nullptr, std::move(refusal)};
  }
  return {std::make_unique<TusSink>(api, pools.local, call, creates), std::nullopt};
}

/// A creation, or a request that goes on, whose body is in its sink or is none.
Response Answer(Api& api, const Call& call, bool creates) {
  if (auto* sink = dynamic_cast<TusSink*>(call.request.sink.get())) {
    return sink->Finish();
  }
  if (auto refusal = RefuseTusHead(call, !creates)) {
    return *std::move(refusal);
  }
  ResumableWrite write(api, call.account());
  const Status begun = BeginTus(api, call, creates, write);
  if (!begun.ok()) {
    write.Leave();
    return Refuse(call, begun.error());
  }
  return FinishTus(api, call, creates, write);
}

/// What HEAD says of an upload that has become an image.
Response DescribeCompleted(const flows::CompletedUpload& completed) {
  Response response;
  response.status = 200;
  const std::string length = std::to_string(completed.image.file_size);
  response.headers.emplace_back("Upload-Offset", length);
  response.headers.emplace_back("Upload-Length", length);
  AddImageHeaders(completed, response);
  return response;
}

/// What HEAD says of an upload that is there no more: `missing`, unless it has become an image.
Result<Response> DescribeEnded(Api& api, const Call& call, const Error& missing) {
  ASSIGN_OR_RETURN(const auto completed,
                   flows::FindCompletedUpload(api.product, call.account(), call.parameters[0]));
  return completed ? Result<Response>(DescribeCompleted(*completed)) : missing;
}

Result<Response> DescribeOpen(Api& api, const Call& call) {
  const std::string& id = call.parameters[0];
  if (api.product.spool.IsForsaken(id)) {
    // Its line has died without a word. The client wants to hear of what came before that; when it
    // cannot be kept, of what was kept before.
    ResumableWrite write(api, call.account());
    write.TakeOver(id).PermitUncheckedError();
    write.Leave();
  }
  const Result<Upload> upload = flows::FindOwnUpload(api.product, call.account(), id);
  if (!upload.ok()) {
    return upload.error();
  }
  if (upload->kind != UploadKind::kResumable) {
    return Error::NotFound("There is no such upload.");
  }
  if (upload->expires_ms <= api.product.clock.NowMs()) {
    return Error(reasons::kUploadExpired, "The time of this upload has passed.");
  }
  ASSIGN_OR_RETURN(const int64_t kept, flows::KeptBytes(api.product, *upload));
  if (kept == upload->length) {
    // All bytes are there, but what was to be done then was not, or is just being done.
    ASSIGN_OR_RETURN(const auto completed, CompleteKept(api, call.account(), id));
    AuditUpload(api.audit, call, completed);
    return DescribeCompleted(completed);
  }
  Response response;
  response.status = 200;
  response.headers.emplace_back("Upload-Offset", std::to_string(kept));
  response.headers.emplace_back("Upload-Length", std::to_string(upload->length));
  response.headers.emplace_back("Upload-Expires", HttpDate(upload->expires_ms / 1000));
  if (!upload->metadata.empty()) {
    response.headers.emplace_back("Upload-Metadata", upload->metadata);
  }
  return response;
}

Result<Response> Describe(Api& api, const Call& call) {
  Result<Response> described = DescribeOpen(api, call);
  // It may have been completed just now, whoever did that.
  return !described.ok() && described.error().kind() == ErrorKind::kNotFound
             ? DescribeEnded(api, call, described.error())
             : std::move(described);
}

}  // namespace

void AddUploadHeaders(const Call& call, Response& response) {
  if (call.target.path.starts_with("/api/v1/uploads")) {
    response.headers.emplace_back("Tus-Resumable", kTusVersion);
  }
}

BodyDecision TakeUploadCreation(Api& api, Pools pools, const Call& call) {
  return TakeTusBody(api, pools, call, true);
}
BodyDecision TakeUploadPart(Api& api, Pools pools, const Call& call) {
  return TakeTusBody(api, pools, call, false);
}

Response PostUpload(Api& api, const Call& call) { return Answer(api, call, true); }
Response PatchUpload(Api& api, const Call& call) { return Answer(api, call, false); }

Response HeadUpload(Api& api, const Call& call) {
  if (auto refusal = RefuseTusHead(call, false)) {
    return *std::move(refusal);
  }
  Result<Response> described = Describe(api, call);
  Response response = described.ok() ? *std::move(described) : Refuse(call, described.error());
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

Response DeleteUpload(Api& api, const Call& call) {
  // Direct uploads are given up in the same way, by clients that know nothing of tus.
  if (call.request.Header("tus-resumable")) {
    if (auto refusal = RefuseTusHead(call, false)) {
      return *std::move(refusal);
    }
  }
  const Status ended = flows::CancelUpload(api.product, call.account(), call.parameters[0]);
  if (!ended.ok()) {
    return Refuse(call, ended.error().kind() == ErrorKind::kInUse ? BeingWritten() : ended.error());
  }
  Response response;
  response.status = 204;
  return response;
}

Response OptionsUpload(Api& api, const Call& /*call*/) {
  Response response;
  response.status = 204;
  response.headers.emplace_back("Tus-Version", kTusVersion);
  response.headers.emplace_back("Tus-Extension", kTusExtensions);
  response.headers.emplace_back("Tus-Max-Size", std::to_string(api.config.upload_bytes_max));
  response.headers.emplace_back("Tus-Checksum-Algorithm", kTusChecksums);
  return response;
}

}  // namespace tintype::http::rest
