#include "http/rest/uploads/upload_answers.h"

#include <memory>
#include <utility>

#include "base/numbers.h"
#include "base/retry.h"
#include "base/strings.h"
#include "contexts/people/image.h"
#include "http/rest/api/image_json.h"
#include "http/rest/protocol/rate_limit.h"
#include "http/rest/protocol/reasons.h"
#include "http/rest/uploads/tus.h"
#include "json/writer.h"
#include "views/images.h"

namespace tintype::http::rest {

using contexts::people::Visibility;

Response AnswerUpload(Api& api, const Call& call, const flows::CompletedUpload& completed) {
  const auto view = views::ShowOwnImage(api.views, call.account(), completed.image);
  if (!view.ok()) {
    return Refuse(call, view.error());
  }
  json::Writer json;
  LinkSigner links = LinksOf(api);
  WriteImage(json, api, links, *view, {.restored = completed.restored});
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
  if (completed.restored) {
    response.headers.emplace_back("X-Image-Restored", "true");
  }
}

Status CheckUploadRate(Api& api, const flows::Account& account) {
  const std::optional<int64_t> wait_s = api.upload_rate.Take(account.id);
  if (!wait_s) {
    return OkStatus();
  }
  return Error(reasons::kTooManyRequests,
               StrCat("Too many uploads were begun. Try again in ", *wait_s, " s."))
      .WithDetail(api.upload_rate.Exceeded("uploads", *wait_s));
}

Status CheckUploadSize(const Api& api, int64_t bytes) {
  if (bytes > api.config.upload_bytes_max) {
    return Error(ErrorKind::kRequestTooLarge,
                 StrCat("A file may have at most ", api.config.upload_bytes_max, " bytes."));
  }
  return OkStatus();
}

Status CheckDisk(const Api& api, int64_t bytes) {
  if (api.product.room.HasForIntake(static_cast<uint64_t>(bytes))) {
    return OkStatus();
  }
  return Error(ErrorKind::kUnavailable,
               "The server's disk has no room for this. Delete something first.");
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
  if (const std::optional<std::string> options = text("aiOptions")) {
    auto wanted = contexts::analysis::AiOptions::Parse(*options);
    if (!wanted.ok()) {
      return Error::Validation(StrCat("`aiOptions`: ", wanted.error().message()));
    }
    request.ai_options = *wanted;
  }
  if (const std::optional<std::string> lifetime = text("expiresIn")) {
    // Anything that is no number is out of range too.
    request.image_lifetime_s = ParseDigits<int64_t>(*lifetime).value_or(0);
  }
  return OkStatus();
}

std::string UploadFilename(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return name.empty() ? "photo" : std::string(name);
}

}  // namespace tintype::http::rest
