#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace tintype::cli {

/// A time as a person gives it, in milliseconds since the Unix epoch: ISO 8601 in UTC, of which
/// everything behind the day may be left out (`2026-02-28`, `2026-02-28T23:59`,
/// `2026-02-28T23:59:59.999Z`), or how long ago it is: a whole number and s, m, h, d or w (`90m`).
/// Errors: kValidation.
Result<int64_t> ParseMoment(std::string_view text, int64_t now_ms);

}  // namespace tintype::cli
