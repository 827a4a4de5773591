#pragma once

#include "base/result.h"
#include "tables/engine/commit/core.h"

namespace tintype::tables::engine {

/// Removes some of a table's items that are due, through the commit thread, and waits for it.
/// Returns whether more may be due. Errors: those of the commit thread, when it stops.
Result<bool> RemoveExpiredItems(Core& core, const TableInfo& table);

}  // namespace tintype::tables::engine
