#pragma once

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "tables/engine/catalog/backfill.h"
#include "tables/engine/catalog/catalog.h"
#include "tables/engine/catalog/statistics.h"
#include "tables/engine/changes/position.h"
#include "tables/engine/changes/stream_info.h"
#include "tables/engine/commit/committer.h"
#include "tables/engine/config.h"
#include "tables/engine/expiry/expiry.h"
#include "tables/engine/housekeeping.h"
#include "tables/engine/items/tokens.h"
#include "tables/engine/jobs.h"
#include "tables/engine/recovery/backup_info.h"
#include "tables/engine/storage/disk_space.h"
#include "tables/engine/storage/storage.h"

namespace tintype::tables::engine {

/// Everything that the engine's operations share. Owned by RocksDatabase.
struct Core {
  Core(EngineConfig engine_config, const Clock& engine_clock)
      : config(WithDefaults(std::move(engine_config))),
        clock(engine_clock),
        disk_space({config.directory, config.min_free_bytes, config.ballast_bytes},
                   [this] { return FreeBytesNow(); }),
        committer(*this),
        housekeeping(*this) {}
  ~Core() {
    // They call each other; all are gone before what they use. Housekeeping and jobs may wait for
    // the commit thread, which answers them until it ends.
    disk_space.Stop();
    housekeeping.RequestStop();
    jobs.RequestStop();
    committer.Stop();
    housekeeping.Stop();
    jobs.Stop();
  }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

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
  Backfills backfills;
  Positions positions;  // But for `committed`, which any thread may ask for.
  TableId next_table_id = 1;

  Committer committer;
  Jobs jobs;
  Housekeeping housekeeping;

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
