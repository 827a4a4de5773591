#pragma once

#include "http/rest/api.h"

namespace tintype::http::rest {

/// `GET` and `HEAD /media/{key}?revision=&expires=&signature=`: an original or a rendition, by its
/// stored key or one of the documents' spellings, to whoever has a signed link that has not
/// expired. With ranges, conditional requests and headers for caches. Blocks.
Response GetMedia(Api& api, const Call& call);

}  // namespace tintype::http::rest
