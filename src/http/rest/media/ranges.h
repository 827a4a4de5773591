#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tintype::http::rest {

struct ByteRange {
  uint64_t offset = 0;
  uint64_t length = 0;
};

/// What a `Range` header asks of something of `size` bytes.
struct RangeDecision {
  enum class Kind {
    kWhole,          ///< None was asked for, several, or something that is no range.
    kPart,           ///< Of `range`.
    kUnsatisfiable,  ///< It begins behind the end.
  };
  Kind kind = Kind::kWhole;
  ByteRange range;
};
RangeDecision DecideRange(std::string_view header, uint64_t size);

}  // namespace tintype::http::rest
