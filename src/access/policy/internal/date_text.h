#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tintype::access::internal {

/// Milliseconds since the Unix epoch of a date in one of the forms that IAM takes: those of the W3C
/// (https://www.w3.org/TR/NOTE-datetime: `2026-02`, `2026-02-28`, `2026-02-28T23:59Z`, with seconds
/// and a fraction too, and `+09:00` instead of `Z`), or seconds since the epoch. A year alone is
/// not taken: four digits could be either. Nothing for anything else.
std::optional<int64_t> ParseDateText(std::string_view text);

}  // namespace tintype::access::internal
