#pragma once

#include <array>
#include <string_view>

#include "tables/wire/internal/shape.h"

/// Parts of a table's definition, which other requests than CreateTable and UpdateTable have too.
namespace tintype::tables::wire {

inline constexpr std::array<std::string_view, 2> kBillingModeValues = {"PROVISIONED",
                                                                       "PAY_PER_REQUEST"};

extern const Shape kAttributeDefinitionsShape;
extern const Shape kKeySchemaShape;
extern const Shape kThroughputShape;
extern const Shape kOnDemandShape;
extern const Shape kLocalIndexesShape;
extern const Shape kGlobalIndexesShape;
extern const Shape kEncryptionShape;

}  // namespace tintype::tables::wire
