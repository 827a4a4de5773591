#pragma once

#include <string_view>

#include "tables/engine/commit/core.h"
#include "tables/engine/registry/table_arn.h"
#include "tables/language/schema.h"

namespace tintype::tables::engine {

/// What operations on tables say of one that does not exist; those on items are terser.
Error TableNotFound(std::string_view name);

/// For the ARN of another account or region. AWS does not tell whether somebody else's table
/// exists.
Error NotOurs(std::string_view arn);

/// A table as clients see it, with its totals as of now.
TableDescription Describe(const Core& core, const TableInfo& table);

}  // namespace tintype::tables::engine
