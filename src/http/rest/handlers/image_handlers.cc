#include <algorithm>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/catalog/details.h"
#include "contract/limits.h"
#include "flows/images/empty_trash.h"
#include "flows/images/revert_image.h"
#include "flows/images/trash.h"
#include "flows/images/update_image.h"
#include "http/rest/api/image_json.h"
#include "http/rest/handlers/handlers.h"
#include "http/rest/protocol/reasons.h"
#include "json/writer.h"
#include "views/feed.h"
#include "views/images.h"
#include "views/trash.h"
#include "views/versions.h"

namespace tintype::http::rest {
namespace {

using contexts::catalog::DetailsChange;
using contexts::catalog::Image;
using contexts::people::Visibility;

/// What an image takes in a list, or a little more: so much room is made at once.
constexpr size_t kImageBytes = 4096;

std::string ETagOf(const Image& image) { return StrCat("\"", image.version, "\""); }

Response ImageResponse(Api& api, const Call& call, const Result<views::ImageView>& view) {
  if (!view.ok()) {
    return Refuse(call, view.error());
  }
  json::Writer json;
  LinkSigner links = LinksOf(api);
  WriteImage(json, api, links, *view);
  Response response = JsonResponse(200, std::move(json).Take());
  response.headers.emplace_back("ETag", ETagOf(view->image));
  return response;
}

/// The answer to what a flow made of an image.
Response ChangedImageResponse(Api& api, const Call& call, Result<Image> image) {
  return image.ok()
             ? ImageResponse(api, call,
                             views::ShowOwnImage(api.views, call.account(), *std::move(image)))
             : Refuse(call, image.error());
}

/// The version in `If-Match`: `"3"`.
std::optional<int64_t> MatchedVersion(std::string_view header) {
  if (header.size() < 3 || header.front() != '"' || header.back() != '"') {
    return std::nullopt;
  }
  return ParseInteger<int64_t>(header.substr(1, header.size() - 2));
}

/// The version that a change is for.
Result<int64_t> ReadIfMatch(const Call& call) {
  const auto if_match = call.request.Header("if-match");
  if (!if_match) {
    return Error(reasons::kVersionRequired,
                 "If-Match has to name the version that the change is for: the ETag of the image.");
  }
  const std::optional<int64_t> version = MatchedVersion(*if_match);
  if (!version) {
    return Error::Validation("If-Match is not an ETag of an image.");
  }
  return *version;
}

Result<flows::RevertRequest> ReadRevert(const Call& call) {
  flows::RevertRequest request;
  ASSIGN_OR_RETURN(request.seen_version, ReadIfMatch(call));
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  const json::Value* revision = body.Find("revision");
  const std::optional<int64_t> number = revision == nullptr ? std::nullopt : revision->integer();
  if (!number || *number < 0) {
    return Error::Validation("`revision` has to be a whole number: that of a version, or 0.");
  }
  request.revision = *number;
  return request;
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
  return ChangedImageResponse(
      api, call,
      flows::SetImageVisibility(api.product, call.account(), call.parameters[0], visibility));
}

/// The images in the caller's trash.
Response GetTrash(Api& api, const Call& call) {
  constexpr std::string_view kList = "trash";
  const auto page = ReadPage(api, call, kList);
  if (!page.ok()) {
    return Refuse(call, page.error());
  }
  // Before the list is read: what has been posted meanwhile may be missing from it.
  const Result<bool> complete = api.upgrades.IsDone(flows::kTrashPostingsStep);
  if (!complete.ok()) {
    return Refuse(call, complete.error());
  }
  const auto list = views::ListTrash(api.views, call.account(), *page, api.product.clock.NowMs());
  if (!list.ok()) {
    return Refuse(call, list.error());
  }
  LinkSigner links = LinksOf(api);
  json::Writer json(list->images.size() * kImageBytes);
  json.OpenObject();
  json.Name("items");
  json.OpenArray();
  for (const views::TrashedImage& trashed : list->images) {
    WriteImage(json, api, links, trashed.view, {.deletes_at = TimeText(trashed.deletes_ms)});
  }
  json.CloseArray();
  WriteCursor(json, api, call, kList, list->next);
  json.Bool("hasMore", list->next.has_value());
  json.Bool("complete", *complete);
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

}  // namespace

Response GetImages(Api& api, const Call& call) {
  if (const std::optional<std::string> state = call.target.Parameter("state")) {
    return *state == "trashed"
               ? GetTrash(api, call)
               : Refuse(call, ErrorKind::kValidation, "`state` is `trashed`, or left out.");
  }
  constexpr std::string_view kList = "images";
  const auto page = ReadPage(api, call, kList);
  if (!page.ok()) {
    return Refuse(call, page.error());
  }
  const auto list = views::ListImages(api.views, call.account(), *page);
  if (!list.ok()) {
    return Refuse(call, list.error());
  }
  LinkSigner links = LinksOf(api);
  json::Writer json(list->images.size() * kImageBytes);
  json.OpenObject();
  json.Name("items");
  json.OpenArray();
  for (const views::ImageView& view : list->images) {
    WriteImage(json, api, links, view);
  }
  json.CloseArray();
  WriteCursor(json, api, call, kList, list->next);
  json.Bool("hasMore", list->next.has_value());
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Response DeleteImages(Api& api, const Call& call) {
  if (call.target.Parameter("state") != "trashed") {
    return Refuse(call, ErrorKind::kValidation,
                  "`state` has to be `trashed`: only the trash is emptied as a whole.");
  }
  const Result<std::string> until = flows::EmptyTrash(api.product, call.account());
  if (!until.ok()) {
    return Refuse(call, until.error());
  }
  api.wake();
  json::Writer json;
  json.OpenObject();
  json.Text("state", "deleting");
  json.Text("trashedUntil", *until);
  json.CloseObject();
  return JsonResponse(202, std::move(json).Take());
}

Response GetImage(Api& api, const Call& call) {
  return ImageResponse(api, call,
                       views::FindOwnImage(api.views, call.account(), call.parameters[0]));
}

Response PatchImage(Api& api, const Call& call) {
  const Result<int64_t> version = ReadIfMatch(call);
  if (!version.ok()) {
    return Refuse(call, version.error());
  }
  const Result<json::Value> body = ReadBody(call);
  if (!body.ok()) {
    return Refuse(call, body.error());
  }
  const Result<DetailsChange> change = ReadDetails(*body);
  if (!change.ok()) {
    return Refuse(call, change.error());
  }
  return ChangedImageResponse(
      api, call,
      flows::UpdateImage(api.product, call.account(), call.parameters[0], *version, *change));
}

Response DeleteImage(Api& api, const Call& call) {
  const std::string how = call.target.Parameter("permanent").value_or("false");
  if (how != "true" && how != "false") {
    return Refuse(call, ErrorKind::kValidation, "`permanent` is `true` or `false`.");
  }
  const bool permanent = how == "true";
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
  return ChangedImageResponse(api, call,
                              flows::RestoreImage(api.product, call.account(), call.parameters[0]));
}

Response GetVersions(Api& api, const Call& call) {
  const auto list = views::ListVersions(api.views, call.account(), call.parameters[0]);
  if (!list.ok()) {
    return Refuse(call, list.error());
  }
  LinkSigner links = LinksOf(api);
  json::Writer json;
  WriteVersions(json, links, *list);
  return JsonResponse(200, std::move(json).Take());
}

Response PostRevert(Api& api, const Call& call) {
  const Result<flows::RevertRequest> request = ReadRevert(call);
  if (!request.ok()) {
    return Refuse(call, request.error());
  }
  Result<Image> image =
      flows::RevertImage(api.product, call.account(), call.parameters[0], *request);
  api.wake();
  return ChangedImageResponse(api, call, std::move(image));
}

Response GetFeed(Api& api, const Call& call) {
  constexpr std::string_view kList = "feed";
  const auto page = ReadPage(api, call, kList);
  if (!page.ok()) {
    return Refuse(call, page.error());
  }
  const auto feed = views::ListFeed(api.views, call.account(), *page);
  if (!feed.ok()) {
    return Refuse(call, feed.error());
  }
  LinkSigner links = LinksOf(api);
  json::Writer json(feed->images.size() * kImageBytes);
  json.OpenObject();
  json.Name("images");
  json.OpenArray();
  for (const views::FeedImage& image : feed->images) {
    WriteFeedImage(json, links, image);
  }
  json.CloseArray();
  WriteCursor(json, api, call, kList, feed->next);
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

}  // namespace tintype::http::rest
