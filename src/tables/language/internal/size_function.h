#pragma once

#include <cstdint>
#include <optional>

#include "tables/language/values/value.h"

namespace tintype::tables::internal {

/// What the size() function of conditions returns: UTF-16 code units of a string, bytes of a
/// binary, members of a set, list or map. Nothing for numbers, booleans and null, which have no
/// size.
///
/// The code units surprise, since DynamoDB stores and limits strings in UTF-8 bytes: "é" is one, a
/// character outside the Basic Multilingual Plane two.
std::optional<int64_t> SizeOf(ValueView value);

}  // namespace tintype::tables::internal
