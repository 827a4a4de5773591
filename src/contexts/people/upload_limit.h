#pragma once

#include <cstdint>

/// What the numbers of upload limits mean.
namespace tintype::contexts::people {

inline constexpr int64_t kDefaultLimit = 500;
/// The limit of a user who has none. A number all the same, as the document's attribute is: the
/// largest that every client reads exactly (2^53 - 1).
inline constexpr int64_t kUnlimited = 9'007'199'254'740'991;
/// The largest limit that can be set.
inline constexpr int64_t kLimitMax = 1'000'000'000;

constexpr bool IsUnlimited(int64_t limit) { return limit >= kUnlimited; }

}  // namespace tintype::contexts::people
