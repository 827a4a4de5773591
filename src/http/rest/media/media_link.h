#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "http/rest/api/api.h"
#include "http/rest/protocol/url.h"
#include "http/server/message.h"
#include "views/access.h"

/// What a signed link to a medium says (protocol/link_keys.h signs them).
namespace tintype::http::rest {

struct MediaLink {
  int64_t revision = 0;
  int64_t expires_ms = 0;
  views::LinkAudience audience = views::LinkAudience::kViewer;
};

/// Errors: kInvalidLink when this server did not sign it, or would not have for so long;
/// kLinkExpired.
Result<MediaLink> ReadMediaLink(const Api& api, const Target& target);

/// The parameters that ask for a resized picture, as they are signed; empty when there are none.
std::string SignedResizing(const Target& target);

/// Whether a link that ReadMediaLink took is spelled as SignUrl does, and perhaps to be saved.
/// Others are not remembered: each has any number of spellings, and each of those would keep files
/// open.
bool IsSpelledAsSigned(const Request& request, const Target& target);

}  // namespace tintype::http::rest
