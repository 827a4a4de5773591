#pragma once

#include "tables/engine/commit/core.h"

namespace tintype::tables::engine {

/// Opens the storage, loads what is kept in memory, starts the commit thread and resumes unfinished
/// back-fills.
Status OpenCore(Core& core);

}  // namespace tintype::tables::engine
