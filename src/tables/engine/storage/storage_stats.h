#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "metrics/instruments.h"

namespace tintype::tables::engine {

/// What RocksDB has done since it was opened, and what it holds now; all column families together.
/// Totals only grow; everything else goes up and down.
struct StorageStats {
  static constexpr size_t kLevels = 7;

  // The write-ahead log.
  metrics::Distribution log_syncs;  ///< The times of its syncs.
  uint64_t log_written_bytes_total = 0;
  uint64_t log_bytes = 0;  ///< Of the log files on disk: what a start after a crash has to replay.

  // Writing memory out to sorted files, and merging those.
  uint64_t flushes_total = 0;
  uint64_t flush_written_bytes_total = 0;
  uint64_t compactions_total = 0;
  uint64_t compaction_read_bytes_total = 0;
  uint64_t compaction_written_bytes_total = 0;
  double compaction_cpu_seconds_total = 0;
  uint64_t flushes_running = 0;
  uint64_t compactions_running = 0;
  uint64_t compaction_pending_bytes = 0;  ///< An estimate of what has yet to be merged.

  // Writes that RocksDB held up because flushes or compactions were behind.
  uint64_t write_slowdowns_total = 0;
  uint64_t write_stops_total = 0;
  double write_stall_seconds_total = 0;
  bool writes_stopped = false;

  // Memory.
  uint64_t cache_bytes = 0;
  uint64_t cache_bytes_limit = 0;
  uint64_t memtable_bytes = 0;      ///< Writes not yet in sorted files, or still being read there.
  uint64_t table_reader_bytes = 0;  ///< Indexes and filters of sorted files.

  // Sorted files by level; new ones arrive in the first.
  std::array<uint64_t, kLevels> level_files = {};
  std::array<uint64_t, kLevels> level_bytes = {};
};

}  // namespace tintype::tables::engine
