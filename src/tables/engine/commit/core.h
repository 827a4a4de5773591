#pragma once

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "tables/engine/changes/position.h"
#include "tables/engine/commit/committer.h"
#include "tables/engine/commit/tokens.h"
#include "tables/engine/registry/backfill_cursors.h"
#include "tables/engine/registry/backup_info.h"
#include "tables/engine/registry/statistics.h"
#include "tables/engine/registry/stream_info.h"
#include "tables/engine/registry/table_registry.h"
#include "tables/engine/rows/expiry_index.h"
#include "tables/engine/storage/config.h"
#include "tables/engine/storage/disk_space.h"
#include "tables/engine/storage/storage.h"
#include "tables/engine/threads/long_work_pool.h"
#include "tables/engine/threads/read_pool.h"

namespace tintype::tables::engine {

/// Everything that the engine's operations share. Owned by RocksDatabase.
struct Core {
  Core(EngineConfig engine_config, const Clock& engine_clock)
      : config(WithDefaults(std::move(engine_config))),
        clock(engine_clock),
        disk_space({config.directory, config.min_free_bytes, config.ballast_bytes},
                   [this] { return FreeBytesNow(); }),
        committer(*this),
        reads({.threads = config.read_threads, .waiting_max = config.read_queue_limit}) {}
  ~Core() { Stop(); }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// Ends all threads before what they use is gone. They call each other: long work may wait for
  /// the commit thread, which answers it until it ends. Idempotent.
  void Stop() {
    disk_space.Stop();
    long_work.RequestStop();
    reads.Stop();
    committer.Stop();
    long_work.Stop();
    // On a disk that is nearly full, the log is what there is room for.
    if (storage && config.flush_at_close && disk_space.room() == Room::kEnough) {
      storage->Flush().PermitUncheckedError();  // Anything not flushed is still in the log.
    }
  }

  const EngineConfig config;
  const Clock& clock;
  DiskSpace disk_space;
  std::unique_ptr<Storage> storage;
  TableRegistry tables;
  Statistics statistics;
  RetiredStreams retired_streams;
  BackupRegistry backups;
  ExpiryCursors expiry_cursors;

  // Of the commit thread alone.
  Tokens tokens;
  BackfillCursors backfills;
  Positions positions;  // But for `committed`, which any thread may ask for.
  TableId next_table_id = 1;

  Committer committer;
  LongWorkPool long_work;
  ReadPool reads;  // Of many items.

 private:
  static EngineConfig WithDefaults(EngineConfig config) {
    if (config.backup_directory.empty()) {
      config.backup_directory = config.directory + "/backups";
    }
    return config;
  }

  // A buffer that did not fit on the disk says more than the system does: other files may have been
  // in its way, which are gone again by now.
  std::optional<uint64_t> FreeBytesNow() const {
    return storage && storage->waits_for_space() ? 0 : FreeBytes(config);
  }
};

}  // namespace tintype::tables::engine
