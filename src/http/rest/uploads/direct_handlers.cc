#include <algorithm>
#include <memory>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contract/limits.h"
#include "darkroom/media_type.h"
#include "flows/media_keys.h"
#include "flows/uploads/resumable_upload.h"
#include "http/rest/api/audited_operations.h"
#include "http/rest/protocol/reasons.h"
#include "http/rest/uploads/direct_sink.h"
#include "http/rest/uploads/handlers.h"
#include "http/rest/uploads/tus.h"
#include "http/rest/uploads/upload_answers.h"
#include "http/rest/uploads/upload_claim.h"
#include "json/writer.h"

/// Uploads to the blob store itself: a link to put the file to, and a word when it is there.
namespace tintype::http::rest {
namespace {

using contexts::intake::Upload;
using contexts::intake::UploadKind;

/// How long a link is good for, at most. It has to be long enough for putting to begin, and expires
/// well before the upload does: what was put with it in time is there by then, and is removed.
constexpr int64_t kLinkSecondsMax = 60 * 60;

/// What a client asks for.
struct Asked {
  flows::UploadRequest request;
  flows::LongUpload announced;
  std::string content_type;
};

/// Whether a text can stand in a header as it is.
bool IsMediaType(std::string_view text) {
  return limits::Allows(limits::kContentType, text) &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7F; });
}

bool IsSha256(std::string_view text) {
  return text.size() == 64 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

Result<Asked> ReadAsked(const Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  Asked asked;
  const json::Value* size = body.Find("size");
  if (size == nullptr || !size->integer() || *size->integer() < 1) {
    return Error::Validation("`size` has to be the file's number of bytes, which is not 0.");
  }
  asked.announced.kind = UploadKind::kDirect;
  asked.announced.length = *size->integer();
  RETURN_IF_ERROR(CheckUploadSize(api, asked.announced.length));
  ASSIGN_OR_RETURN(const auto filename, OptionalText(body, "filename"));
  asked.request.filename = UploadFilename(filename.value_or(""));
  asked.request.correlation_id = call.request_id;
  ASSIGN_OR_RETURN(const auto content_type, OptionalText(body, "contentType"));
  asked.content_type = content_type.value_or("");
  if (!IsMediaType(asked.content_type)) {
    return Error::Validation("`contentType` is no media type.");
  }
  ASSIGN_OR_RETURN(asked.announced.sha256, OptionalText(body, "sha256"));
  if (asked.announced.sha256 && !IsSha256(*asked.announced.sha256)) {
    return Error::Validation("`sha256` is 64 hexadecimal digits, in lower case.");
  }
  Status texts = OkStatus();
  const auto text = [&](const std::string& name) -> std::optional<std::string> {
    const json::Value* member = body.Find(name);
    if (name == "expiresIn" && member != nullptr && member->integer()) {
      return std::to_string(*member->integer());
    }
    Result<std::optional<std::string>> read = OptionalText(body, name);
    if (!read.ok()) {
      texts = read.error();
      return std::nullopt;
    }
    return *std::move(read);
  };
  RETURN_IF_ERROR(ReadUploadTexts(text, asked.request));
  RETURN_IF_ERROR(texts);
  return asked;
}

/// The link to put to: the store's own, or one of this server.
Result<blobs::PresignedPut> LinkFor(Api& api, const Upload& upload, const Asked& asked,
                                    int64_t expires_s) {
  const int64_t now_s = api.product.clock.NowMs() / 1000;
  blobs::PresignPutOptions options;
  options.expires_s = expires_s - now_s;
  options.content_length = static_cast<uint64_t>(upload.length);
  options.content_type = asked.content_type;
  Result<std::optional<blobs::PresignedPut>> link = api.product.blobs.PresignPut(
      {api.product.config.uploads_bucket, flows::DirectKey(upload.id)}, options);
  if (!link.ok()) {
    return link.error().kind() == ErrorKind::kRequestTooLarge
               ? Error(ErrorKind::kRequestTooLarge,
                       StrCat(link.error().message(),
                              " Upload the file in parts by tus, at /api/v1/uploads."))
               : link.error();
  }
  if (*link) {
    return **std::move(link);
  }
  blobs::PresignedPut own;
  own.url = StrCat(api.product.config.public_url, "/api/v1/uploads/", upload.id,
                   "/content?expires=", expires_s,
                   "&signature=", SignUpload(*api.link_keys.Signing(), upload.id, expires_s));
  if (!asked.content_type.empty()) {
    own.headers.emplace_back("Content-Type", asked.content_type);
  }
  return own;
}

Result<Response> Begin(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const Asked asked, ReadAsked(api, call));
  RETURN_IF_ERROR(CheckUploadRate(api, call.account()));
  // Whether the file has room is known when it comes, if it comes here at all.
  RETURN_IF_ERROR(CheckDisk(api, 0));
  ASSIGN_OR_RETURN(const Upload upload, flows::BeginLongUpload(api.product, call.account(),
                                                               asked.request, asked.announced));
  const int64_t half_s = api.product.config.upload_kept.count() / 2;
  const int64_t expires_s =
      upload.started_ms / 1000 + std::clamp(half_s, int64_t{1}, kLinkSecondsMax);
  const Result<blobs::PresignedPut> link = LinkFor(api, upload, asked, expires_s);
  if (!link.ok()) {
    flows::AbandonUpload(api.product, upload.id).PermitUncheckedError();
    return link.error();
  }
  json::Writer json;
  json.OpenObject();
  json.Text("id", upload.id);
  json.Text("method", "PUT");
  json.Text("url", link->url);
  json.Name("headers");
  json.OpenObject();
  for (const auto& [name, value] : link->headers) {
    json.Text(name, value);
  }
  json.CloseObject();
  json.Text("expiresAt", TimeText(expires_s * 1000));
  json.CloseObject();
  return JsonResponse(201, std::move(json).Take());
}

/// The upload to complete; nothing when the caller has none of that id any more.
Result<std::optional<Upload>> FindDirect(Api& api, const Call& call) {
  Result<Upload> upload = flows::FindOwnUpload(api.product, call.account(), call.parameters[0]);
  if (upload.ok() && upload->kind == UploadKind::kDirect) {
    return std::optional<Upload>(*std::move(upload));
  }
  if (!upload.ok() && upload.error().kind() != ErrorKind::kNotFound) {
    return upload.error();
  }
  return std::optional<Upload>();
}

Result<flows::CompletedUpload> FindAndComplete(Api& api, const Call& call) {
  const std::string& id = call.parameters[0];
  // Before anybody is held off, or loses the upload: only its owner takes it over.
  ASSIGN_OR_RETURN(std::optional<Upload> upload, FindDirect(api, call));
  if (upload) {
    // One at a time: what is being looked at must not be replaced meanwhile.
    ASSIGN_OR_RETURN(const auto claim, TakeUpload(api, id));
    const UploadTurn turn(*claim);
    RETURN_IF_ERROR(turn.status());
    ASSIGN_OR_RETURN(upload, FindDirect(api, call));
    if (upload) {
      ASSIGN_OR_RETURN(flows::CompletedUpload done,
                       flows::CompleteDirect(api.product, *claim, call.account(), *upload,
                                             darkroom::UploadedType));
      AuditUpload(api.audit, call, done);
      return done;
    }
  }
  ASSIGN_OR_RETURN(auto completed, flows::FindCompletedUpload(api.product, call.account(), id));
  if (!completed) {
    return Error::NotFound("There is no such upload.");
  }
  return *std::move(completed);
}

}  // namespace

BodyDecision TakeUploadContent(Api& api, Pools pools, const Call& call) {
  const auto expires = call.target.Parameter("expires");
  const auto signature = call.target.Parameter("signature");
  const std::optional<int64_t> expires_s = ParseDigits<int64_t>(expires.value_or(""));
  if (!expires_s || !signature ||
      !api.link_keys.VerifyUpload(call.parameters[0], *expires_s, *signature)) {
    return {nullptr,
            Refuse(call, reasons::kInvalidLink, "This link is not signed by this server.")};
  }
  if (*expires_s <= api.product.clock.NowMs() / 1000) {
    return {nullptr, Refuse(call, reasons::kLinkExpired, "This link has expired.")};
  }
  return {std::make_unique<DirectSink>(api, pools.storage, call), std::nullopt};
}

Response PutUploadContent(Api& /*api*/, const Call& call) {
  auto* sink = dynamic_cast<DirectSink*>(call.request.sink.get());
  return sink == nullptr ? Refuse(call, Error::Validation("The file is empty.")) : sink->Finish();
}

Response PostDirectUpload(Api& api, const Call& call) {
  Result<Response> begun = Begin(api, call);
  return begun.ok() ? *std::move(begun) : Refuse(call, begun.error());
}

Response PostUploadComplete(Api& api, const Call& call) {
  const Result<flows::CompletedUpload> completed = FindAndComplete(api, call);
  if (!completed.ok()) {
    return Refuse(call, completed.error());
  }
  api.wake();
  return AnswerUpload(api, call, *completed);
}

}  // namespace tintype::http::rest
