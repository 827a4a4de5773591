#include "http/rest/uploads/upload_answers.h"

#include <memory>
#include <utility>

#include "base/strings.h"
#include "contexts/common/transaction.h"
#include "darkroom/media_type.h"
#include "flows/resumable_upload.h"
#include "http/rest/api/image_json.h"
#include "http/rest/protocol/rate_limit.h"
#include "http/rest/uploads/tus.h"
#include "json/writer.h"

namespace tintype::http::rest {

using contexts::people::Visibility;

Error RefusalError(int status, std::string_view code, std::string message, int64_t retry_after_s) {
  auto refusal = std::make_shared<HttpRefusal>();
  refusal->status = status;
  refusal->code = code;
  refusal->retry_after_s = retry_after_s;
  return Error(ErrorCode::kValidation, std::move(message)).WithDetail(std::move(refusal));
}

Response RefuseUpload(const Call& call, const Error& error) {
  if (const auto* refusal = error.DetailAs<HttpRefusal>()) {
    Response response = Refuse(call, refusal->status, refusal->code, error.message());
    if (refusal->retry_after_s > 0) {
      response.headers.emplace_back("Retry-After", std::to_string(refusal->retry_after_s));
    }
    return response;
  }
  if (error.DetailAs<flows::ChecksumMismatch>() != nullptr) {
    return Refuse(call, 400, "ChecksumMismatch", error.message());
  }
  if (error.code() == ErrorCode::kLimitExceeded) {
    return error.DetailAs<contexts::RefusedPiece>() != nullptr
               ? Refuse(call, 403, "UploadLimitReached", error.message())
               : Refuse(call, 429, "TooManyUploads", error.message());
  }
  return Refuse(call, error);
}

Response AnswerUpload(Api& api, const Call& call, const flows::CompletedUpload& completed) {
  const flows::Account& account = call.account();
  Result<std::optional<contexts::people::SparksImage>> sparks =
      api.product.people.FindImage(completed.image.id, account.email);
  if (!sparks.ok()) {
    return Refuse(call, sparks.error());
  }
  json::Writer json;
  WriteImage(json, api, completed.image, *sparks ? (*sparks)->visibility : Visibility::kPrivate);
  Response response = JsonResponse(completed.duplicate ? 200 : 202, std::move(json).Take());
  response.headers.emplace_back("ETag", StrCat("\"", completed.image.version, "\""));
  response.headers.emplace_back("Location", StrCat("/api/v1/images/", completed.image.id));
  return response;
}

void AddImageHeaders(const flows::CompletedUpload& completed, Response& response) {
  response.headers.emplace_back("X-Image-Id", completed.image.id);
  if (completed.duplicate) {
    response.headers.emplace_back("X-Image-Duplicate", "true");
  }
}

Status CheckUploadRate(Api& api, const flows::Account& account) {
  const std::optional<int64_t> wait_s = api.upload_rate.Take(account.id);
  if (!wait_s) {
    return OkStatus();
  }
  return RefusalError(429, "TooManyRequests",
                      StrCat("Too many uploads were begun. Try again in ", *wait_s, " s."),
                      *wait_s);
}

Status CheckUploadSize(const Api& api, int64_t bytes) {
  if (bytes > api.config.upload_bytes_max) {
    return Error(ErrorCode::kRequestTooLarge,
                 StrCat("A file may have at most ", api.config.upload_bytes_max, " bytes."));
  }
  return OkStatus();
}

Status CheckDisk(const Api& api, int64_t bytes) {
  return api.product.room.HasForIntake(static_cast<uint64_t>(bytes))
             ? OkStatus()
             : Status(Error(ErrorCode::kUnavailable,
                            "The server's disk has no room for this. Delete something first."));
}

Result<std::string> AcceptedType(std::string_view first_bytes) {
  const std::string_view type = darkroom::DetectMediaType(first_bytes);
  if (!darkroom::CanDevelop(type)) {
    return RefusalError(415, "UnsupportedMediaType",
                        StrCat("Files of the type ", type,
                               " are not taken. These are: ", darkroom::kDevelopedTypes, "."));
  }
  return std::string(type);
}

Status ReadUploadTexts(
    const std::function<std::optional<std::string>(const std::string& name)>& text,
    flows::UploadRequest& request) {
  request.title = text("title");
  request.album_id = text("albumId");
  const std::optional<std::string> visibility = text("visibility");
  if (visibility && *visibility != "private" && *visibility != "shared") {
    return Error::Validation("`visibility` is `private` or `shared`.");
  }
  if (visibility) {
    request.visibility = *visibility == "shared" ? Visibility::kShared : Visibility::kPrivate;
  }
  if (const std::optional<std::string> lifetime = text("expiresIn")) {
    // What is no number is out of range too.
    request.image_lifetime_s = ParseTusNumber(*lifetime).value_or(0);
  }
  return OkStatus();
}

std::string UploadFilename(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return name.empty() ? "photo" : std::string(name);
}

}  // namespace tintype::http::rest
