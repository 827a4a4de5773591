#pragma once

#include "tables/engine/commit/commit_stats.h"
#include "tables/engine/storage/storage_stats.h"

namespace tintype::tables::engine {

/// The engine's figures for metrics, as of the moment they are asked for.
struct EngineStats {
  CommitStats commits;
  StorageStats storage;
};

}  // namespace tintype::tables::engine
