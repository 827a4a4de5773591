#include <algorithm>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "contract/limits.h"
#include "flows/images.h"
#include "flows/trash.h"
#include "flows/update_image.h"
#include "http/rest/api/image_json.h"
#include "http/rest/handlers/handlers.h"
#include "http/rest/protocol/reasons.h"
#include "json/writer.h"

namespace tintype::http::rest {
namespace {

using contexts::catalog::DetailsChange;
using contexts::catalog::Image;
using contexts::people::Visibility;

std::string ETagOf(const Image& image) { return StrCat("\"", image.version, "\""); }

Result<Visibility> VisibilityOf(Api& api, const Call& call, const Image& image) {
  ASSIGN_OR_RETURN(const auto sparks, api.product.people.FindImage(image.id, call.account().email));
  return sparks ? sparks->visibility : api.product.config.visibility;
}

Response ImageResponse(Api& api, const Call& call, int status, const Image& image) {
  const Result<Visibility> visibility = VisibilityOf(api, call, image);
  if (!visibility.ok()) {
    return Refuse(call, visibility.error());
  }
  json::Writer json;
  WriteImage(json, api, image, *visibility);
  Response response = JsonResponse(status, std::move(json).Take());
  response.headers.emplace_back("ETag", ETagOf(image));
  return response;
}

Response ImageResponse(Api& api, const Call& call, const Result<Image>& image) {
  return image.ok() ? ImageResponse(api, call, 200, *image) : Refuse(call, image.error());
}

/// The version in `If-Match`: `"3"`.
std::optional<int64_t> MatchedVersion(std::string_view header) {
  if (header.size() < 3 || header.front() != '"' || header.back() != '"') {
    return std::nullopt;
  }
  return ParseInteger<int64_t>(header.substr(1, header.size() - 2));
}

/// A text that may be null, which removes it.
Status ReadChange(const json::Value& body, std::string_view name,
                  std::optional<std::optional<std::string>>& change) {
  if (body.Find(name) != nullptr) {
    ASSIGN_OR_RETURN(change, OptionalText(body, name));
  }
  return OkStatus();
}

Result<DetailsChange> ReadDetails(const json::Value& body) {
  DetailsChange change;
  RETURN_IF_ERROR(ReadChange(body, "title", change.title));
  RETURN_IF_ERROR(ReadChange(body, "description", change.description));
  RETURN_IF_ERROR(ReadChange(body, "altText", change.alt_text));
  RETURN_IF_ERROR(ReadChange(body, "albumId", change.album_id));
  const json::Value* tags = body.Find("tags");
  if (tags == nullptr) {
    return change;
  }
  change.tags.emplace();
  if (tags->is_null()) {
    return change;
  }
  if (tags->array() == nullptr) {
    return Error::Validation("`tags` has to be a list of strings.");
  }
  if (tags->array()->size() > limits::kTags.max) {
    return Error::Validation(StrCat("An image has at most ", limits::kTags.max, " tags."));
  }
  for (const json::Value& tag : *tags->array()) {
    if (tag.text() == nullptr) {
      return Error::Validation("`tags` has to be a list of strings.");
    }
    // The same tag twice is the same tag.
    if (std::ranges::find(*change.tags, *tag.text()) == change.tags->end()) {
      change.tags->push_back(*tag.text());
    }
  }
  return change;
}

Response SetVisibility(Api& api, const Call& call, Visibility visibility) {
  return ImageResponse(
      api, call,
      flows::SetImageVisibility(api.product, call.account(), call.parameters[0], visibility));
}

/// The image that a path names: REST never shows what is in the trash.
Result<Image> FindShown(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(Image image,
                   flows::FindOwnImage(api.product, call.account(), call.parameters[0]));
  if (image.is_trashed()) {
    return Error::NotFound("The image is in the trash.");
  }
  return image;
}

Response RecordResponse(const Call& call, const Result<std::optional<tables::Item>>& record) {
  if (!record.ok()) {
    return Refuse(call, record.error());
  }
  if (!*record) {
    return Refuse(call, Error::NotFound("There is no such record yet."));
  }
  json::Writer json;
  WriteItem(json, (*record)->view());
  return JsonResponse(200, std::move(json).Take());
}

}  // namespace

Response GetImages(Api& api, const Call& call) {
  constexpr std::string_view kList = "images";
  const auto limit = PageLimit(call);
  const auto start = PageStart(api, call, kList);
  if (!limit.ok() || !start.ok()) {
    return Refuse(call, limit.ok() ? start.error() : limit.error());
  }
  const auto page = api.product.catalog.ListOfUser(call.account().id, *limit, *start);
  if (!page.ok()) {
    return Refuse(call, page.error());
  }
  json::Writer json;
  json.OpenObject();
  json.Name("items");
  json.OpenArray();
  for (const Image& image : page->images) {
    const Result<Visibility> visibility = VisibilityOf(api, call, image);
    if (!visibility.ok()) {
      return Refuse(call, visibility.error());
    }
    WriteImage(json, api, image, *visibility);
  }
  json.CloseArray();
  WriteCursor(json, api, call, kList, page->last_evaluated_key);
  json.Bool("hasMore", page->last_evaluated_key.has_value());
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Response GetImage(Api& api, const Call& call) {
  return ImageResponse(api, call, FindShown(api, call));
}

Response PatchImage(Api& api, const Call& call) {
  const auto if_match = call.request.Header("if-match");
  if (!if_match) {
    return Refuse(
        call, reasons::kVersionRequired,
        "If-Match has to name the version that the change is for: the ETag of the image.");
  }
  const std::optional<int64_t> version = MatchedVersion(*if_match);
  if (!version) {
    return Refuse(call, ErrorKind::kValidation, "If-Match is not an ETag of an image.");
  }
  const Result<json::Value> body = ReadBody(call);
  if (!body.ok()) {
    return Refuse(call, body.error());
  }
  const Result<DetailsChange> change = ReadDetails(*body);
  if (!change.ok()) {
    return Refuse(call, change.error());
  }
  return ImageResponse(
      api, call,
      flows::UpdateImage(api.product, call.account(), call.parameters[0], *version, *change));
}

Response DeleteImage(Api& api, const Call& call) {
  const bool permanent = call.target.Parameter("permanent") == "true";
  const std::string& id = call.parameters[0];
  Status deleted = OkStatus();
  if (permanent) {
    deleted = flows::DeleteImageNow(api.product, call.account(), id);
  } else if (const auto trashed = flows::TrashImage(api.product, call.account(), id);
             !trashed.ok()) {
    deleted = trashed.error();
  }
  if (!deleted.ok()) {
    return Refuse(call, deleted.error());
  }
  api.wake();
  json::Writer json;
  json.OpenObject();
  json.Text("id", id);
  json.Text("state", permanent ? "deleting" : "trashed");
  json.CloseObject();
  return JsonResponse(202, std::move(json).Take());
}

Response PostShare(Api& api, const Call& call) {
  return SetVisibility(api, call, Visibility::kShared);
}

Response PostUnshare(Api& api, const Call& call) {
  return SetVisibility(api, call, Visibility::kPrivate);
}

Response PostRestore(Api& api, const Call& call) {
  return ImageResponse(api, call,
                       flows::RestoreImage(api.product, call.account(), call.parameters[0]));
}

Response GetFeed(Api& api, const Call& call) {
  constexpr std::string_view kList = "feed";
  const auto limit = PageLimit(call);
  const auto start = PageStart(api, call, kList);
  if (!limit.ok() || !start.ok()) {
    return Refuse(call, limit.ok() ? start.error() : limit.error());
  }
  const auto page = api.product.people.Feed(*limit, *start);
  if (!page.ok()) {
    return Refuse(call, page.error());
  }
  json::Writer json;
  json.OpenObject();
  json.Name("images");
  json.OpenArray();
  for (const contexts::people::SparksImage& image : page->images) {
    const auto record = api.product.catalog.Find(image.id);
    if (!record.ok()) {
      return Refuse(call, record.error());
    }
    WriteFeedImage(json, api, image, *record);
  }
  json.CloseArray();
  WriteCursor(json, api, call, kList, page->last_evaluated_key);
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Response GetMediaRecord(Api& api, const Call& call) {
  const Result<Image> image = FindShown(api, call);
  if (!image.ok()) {
    return Refuse(call, image.error());
  }
  return RecordResponse(call, api.product.analysis.FindIngest(image->id));
}

Response GetAnalysisRecord(Api& api, const Call& call) {
  const Result<Image> image = FindShown(api, call);
  if (!image.ok()) {
    return Refuse(call, image.error());
  }
  return RecordResponse(call, api.product.analysis.FindAnalysis(image->id));
}

}  // namespace tintype::http::rest
