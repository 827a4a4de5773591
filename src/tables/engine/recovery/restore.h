#pragma once

#include "tables/engine/commit/core.h"

/// Tables made from other tables' pasts. A restored table is described from the beginning, and read
/// and written once it is whole. Its contents come in chunks through the commit thread; a restart
/// begins them anew.
///
/// The state of a table at a time is its present one with every change since undone, newest first:
/// each record of the change log holds what was there before. So nothing but the log has to be kept
/// for recovery, and the cost is that of the changes since.
namespace tintype::tables::engine {

/// Begins or, after opening, begins anew to fill a table that is being restored.
void BeginRestore(Core& core, const TableInfo& table);

}  // namespace tintype::tables::engine
