#pragma once

#include <cstdint>
#include <string_view>

namespace tintype::darkroom {

/// What is wrong with a file of which a part was decoded all the same.
enum class Damage : uint8_t {
  kNone,
  kTruncated,  ///< It ends before its picture does.
  kDamaged,    ///< Some of what is in it makes no sense.
};

/// The name of a kind of damage as records and metrics have it, such as "truncated". Empty for
/// kNone.
std::string_view DamageName(Damage damage);

}  // namespace tintype::darkroom
