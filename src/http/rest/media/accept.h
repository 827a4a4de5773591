#pragma once

#include <string_view>

#include "darkroom/requests.h"

namespace tintype::http::rest {

/// The format of a picture whose link leaves it open, by the `Accept` header (RFC 9110, 12.5.1).
/// Clients that take WebP say so by name, and get it; AVIF, which takes many times as long to make,
/// goes only to clients that rate it above WebP or take no WebP. All others get JPEG, whatever they
/// rate it: anything that shows pictures shows that.
darkroom::OutputFormat ChooseFormat(std::string_view accept);

}  // namespace tintype::http::rest
