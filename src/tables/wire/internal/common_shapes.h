#pragma once

#include "tables/wire/internal/shape.h"

/// Shapes that several requests, or requests and answers, share.
namespace tintype::tables::wire {

inline constexpr Shape kStringShape{.kind = Shape::Kind::kString};
inline constexpr Shape kBooleanShape{.kind = Shape::Kind::kBoolean};
inline constexpr Shape kIntegerShape{.kind = Shape::Kind::kInteger};
inline constexpr Shape kLongShape{.kind = Shape::Kind::kLong};
inline constexpr Shape kTimestampShape{.kind = Shape::Kind::kTimestamp};

inline constexpr Member kStringElement{.shape = &kStringShape, .required = true};
inline constexpr Shape kStringListShape{.kind = Shape::Kind::kList, .element = &kStringElement};
inline constexpr Shape kStringMapShape{.kind = Shape::Kind::kMap, .element = &kStringElement};

/// Attribute values by name: an item or a key.
extern const Shape kAttributeMapShape;

}  // namespace tintype::tables::wire
