#pragma once

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "tables/engine/catalog/backfill_cursors.h"
#include "tables/engine/catalog/backup_info.h"
#include "tables/engine/catalog/catalog.h"
#include "tables/engine/catalog/statistics.h"
#include "tables/engine/catalog/stream_info.h"
#include "tables/engine/changes/position.h"
#include "tables/engine/commit/committer.h"
#include "tables/engine/commit/tokens.h"
#include "tables/engine/rows/expiry_index.h"
#include "tables/engine/storage/config.h"
#include "tables/engine/storage/disk_space.h"
#include "tables/engine/storage/storage.h"
#include "tables/engine/threads/jobs.h"
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

  /// Ends all threads before what they use is gone. They call each other: jobs may wait for the
  /// commit thread, which answers them until it ends. Idempotent.
  void Stop() {
    disk_space.Stop();
    jobs.RequestStop();
    reads.Stop();
    committer.Stop();
    jobs.Stop();
    // On a disk that is nearly full, the log is what there is room for.
    if (storage && config.flush_at_close && disk_space.room() == Room::kEnough) {
      storage->Flush().PermitUncheckedError();  // What fails is still in the log.
    }
  }

  const EngineConfig config;
  const Clock& clock;
  DiskSpace disk_space;
  std::unique_ptr<Storage> storage;
  Catalog catalog;
  Statistics statistics;
  RetiredStreams retired_streams;
  BackupCatalog backups;
  ExpiryCursors expiry_cursors;

  // Of the commit thread alone.
  Tokens tokens;
  BackfillCursors backfills;
  Positions positions;  // But for `committed`, which any thread may ask for.
  TableId next_table_id = 1;

  Committer committer;
  Jobs jobs;
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
