#pragma once

#include <string_view>

#include "base/result.h"
#include "tables/language/database.h"
#include "tables/language/schema.h"

namespace tintype::contexts {

/// Adds the global index of that name, as `wanted` declares it, to a table that lacks it, and waits
/// until the index is complete, however long that takes. A table that does not exist is left to
/// CreateTables. Safe to repeat, and to run on several nodes at once. REQUIRES: `wanted` has it.
Status AddIndex(const tables::TableDefinition& wanted, std::string_view index,
                tables::Database& database);

}  // namespace tintype::contexts
