#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/retry.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "delivery/resizing.h"
#include "flows/media_keys.h"
#include "http/rest/api/image_json.h"
#include "http/rest/handlers/handlers.h"
#include "http/rest/protocol/rate_limit.h"
#include "http/rest/protocol/reasons.h"
#include "json/writer.h"
#include "views/images.h"

namespace tintype::http::rest {
namespace {

using contexts::catalog::ProcessingStatus;

/// What a body asks for, as a link's query has it.
Result<std::map<std::string, std::string>> ReadQuery(const json::Value& body) {
  std::map<std::string, std::string> query;
  for (const std::string_view name : delivery::kResizingNames) {
    const json::Value* member = body.Find(name);
    if (member == nullptr || member->is_null()) {
      continue;
    }
    if (member->text() != nullptr) {
      query.emplace(name, *member->text());
    } else if (const auto number = member->integer()) {
      query.emplace(name, std::to_string(*number));
    } else {
      return Error::Validation(StrCat("`", name, "` has to be a number or a string."));
    }
  }
  return query;
}

/// The size that a body names instead of a width and a height; the original when it names none.
Result<flows::Size> ReadSize(const json::Value& body) {
  ASSIGN_OR_RETURN(const auto name, OptionalText(body, "size"));
  if (!name) {
    return flows::Size::kOriginal;
  }
  for (const flows::SizeSpec& spec : flows::kSizes) {
    if (spec.name == *name && spec.size != flows::Size::kOriginal) {
      return spec.size;
    }
  }
  return Error::Validation("`size` is LARGE, MEDIUM, SMALL or THUMB.");
}

/// The link's unsigned part, and what it asks for.
struct Wanted {
  flows::Size size = flows::Size::kOriginal;
  std::string resizing;
};

Result<Wanted> ReadWanted(const Call& call) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  Wanted wanted;
  ASSIGN_OR_RETURN(wanted.size, ReadSize(body));
  ASSIGN_OR_RETURN(auto query, ReadQuery(body));
  if (wanted.size == flows::Size::kOriginal) {
    ASSIGN_OR_RETURN(const delivery::ResizeParameters resizing, delivery::ParseResizing(query));
    wanted.resizing = delivery::ToQuery(resizing);
    return wanted;
  }
  if (query.contains("w") || query.contains("h") || query.contains("fit")) {
    return Error::Validation("`size` goes with `format` and `q` alone.");
  }
  // The size says how large it is: the numbers are only there for the check of the others.
  query.emplace("w", "1");
  ASSIGN_OR_RETURN(const delivery::ResizeParameters resizing, delivery::ParseResizing(query));
  wanted.resizing =
      StrCat("format=", resizing.format ? delivery::NameOf(*resizing.format) : "auto");
  if (resizing.quality > 0) {
    StrAppend(wanted.resizing, "&q=", resizing.quality);
  }
  return wanted;
}

}  // namespace

Response PostLink(Api& api, const Call& call) {
  if (const auto wait_s = api.link_rate.Take(call.account().id)) {
    return Refuse(call,
                  Error(reasons::kTooManyRequests,
                        StrCat("Too many links were asked for. Try again in ", *wait_s, " s."))
                      .WithDetail(api.link_rate.Exceeded("links", *wait_s)));
  }
  const auto view = views::FindVisibleImage(api.views, call.account(), call.parameters[0]);
  if (!view.ok()) {
    return Refuse(call, view.error());
  }
  const contexts::catalog::Image& image = view->image;
  if (image.processing_status != ProcessingStatus::kCompleted) {
    return Refuse(call, Error::InUse("The image has not been developed."));
  }
  if (!image.has_picture()) {
    return Refuse(call, Error::Validation("There is no picture of this file."));
  }
  const auto wanted = ReadWanted(call);
  if (!wanted.ok()) {
    return Refuse(call, wanted.error());
  }
  const int64_t expires = LinkExpiry(api);
  const int64_t picture = image.picture();
  // A picture without a size of its own is made from the one in full size.
  const flows::Size size =
      wanted->size == flows::Size::kOriginal && picture > 0 ? flows::Size::kFull : wanted->size;
  const std::string url = flows::MediaUrl("", flows::StoredKey(image.id, picture, size), picture);
  json::Writer json;
  json.OpenObject();
  json.Text("url", SignUrl(*api.link_keys.Signing(), url,
                           {.expires_s = expires,
                            .audience = views::NameOf(views::AudienceOf(view->sight, image)),
                            .resizing = wanted->resizing}));
  json.Text("expiresAt", TimeText(expires * 1000));
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

}  // namespace tintype::http::rest
