#pragma once

#include <string_view>

#include "tables/wire/internal/shape.h"

/// The patterns of DynamoDB's model. They are few and simple, and a regular expression that a
/// client's text is run through could be made to take long; so each is matched by hand.
namespace tintype::tables::wire {

bool Matches(std::string_view text, Pattern pattern);

/// The pattern as messages have it.
std::string_view PatternText(Pattern pattern);

}  // namespace tintype::tables::wire
