#pragma once

#include <array>
#include <cstdint>

#include "metrics/instruments.h"

namespace tintype::tables::engine {

/// What the commit thread has done since it was started. Totals only grow.
struct CommitStats {
  /// Upper bounds of groups_by_tasks, but for the last of its counts, which has none.
  static constexpr std::array<uint64_t, 8> kTaskBounds = {1, 2, 4, 8, 16, 32, 64, 128};

  uint64_t groups_total = 0;  ///< Each is one batch and, unless durability is relaxed, one sync.
  uint64_t tasks_total = 0;   ///< Writes, transactions and table changes in those groups.
  uint64_t bytes_total = 0;   ///< Of the batches.
  metrics::Distribution write_durations;  ///< Writing and syncing a batch, stalls included.
  /// How many groups had how many tasks.
  std::array<uint64_t, kTaskBounds.size() + 1> groups_by_tasks = {};
  uint64_t refused_total = 0;  ///< Tasks that came when too many were waiting.
  uint64_t waiting = 0;        ///< Tasks that wait for the commit thread now.
};

}  // namespace tintype::tables::engine
