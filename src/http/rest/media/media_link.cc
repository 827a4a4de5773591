#include "http/rest/media/media_link.h"

#include <optional>

#include "base/numbers.h"
#include "base/strings.h"
#include "delivery/resizing.h"
#include "http/rest/protocol/reasons.h"

namespace tintype::http::rest {

std::string SignedResizing(const Target& target) {
  std::string text;
  for (const std::string_view name : delivery::kResizingNames) {
    if (const auto value = target.Parameter(std::string(name))) {
      StrAppend(text, text.empty() ? "" : "&", name, "=", *value);
    }
  }
  return text;
}

Result<MediaLink> ReadMediaLink(const Api& api, const Target& target) {
  const auto revision = target.Parameter("revision");
  const auto expires = target.Parameter("expires");
  const auto audience_name = target.Parameter("for");
  const auto signature = target.Parameter("signature");
  const std::string resizing = SignedResizing(target);
  // Numbers and known names, so that nothing else can look like the end of one part and the
  // beginning of the next.
  const std::optional<int64_t> revision_number = ParseDigits<int64_t>(revision.value_or(""));
  const std::optional<int64_t> expires_s = ParseDigits<int64_t>(expires.value_or(""));
  const auto audience = views::LinkAudienceOf(audience_name.value_or(""));
  if (!revision_number || !expires_s || !audience || !signature ||
      !api.link_keys.VerifyUrl({.path = target.path,
                                .revision = *revision,
                                .expires = *expires,
                                .audience = *audience_name,
                                .resizing = resizing},
                               *signature)) {
    return Error(reasons::kInvalidLink, "This link is not signed by this server.");
  }
  const int64_t now_ms = api.product.clock.NowMs();
  // This server signs none of these, but somebody may have had its secret.
  if (*expires_s > now_ms / 1000 + api.config.url_kept_max.count()) {
    return Error(reasons::kInvalidLink, "This link is good for longer than links may be.");
  }
  const MediaLink link{*revision_number, *expires_s * 1000, *audience};
  if (link.expires_ms < now_ms) {
    return Error(reasons::kLinkExpired, "This link has expired. Ask for the image again.");
  }
  return link;
}

bool IsSpelledAsSigned(const Request& request, const Target& target) {
  const std::string resizing = SignedResizing(target);
  return request.target ==
         StrCat(target.path, "?revision=", *target.Parameter("revision"),
                resizing.empty() ? "" : "&", resizing, "&expires=", *target.Parameter("expires"),
                "&for=", *target.Parameter("for"), "&signature=", *target.Parameter("signature"),
                target.Parameter("download") ? "&download=1" : "");
}

}  // namespace tintype::http::rest
