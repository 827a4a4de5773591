#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "tables/engine/backfill.h"
#include "tables/engine/catalog.h"
#include "tables/engine/committer.h"
#include "tables/engine/config.h"
#include "tables/engine/disk_space.h"
#include "tables/engine/statistics.h"
#include "tables/engine/storage.h"
#include "tables/engine/tokens.h"

namespace tintype::tables::engine {

/// Wall time that never goes back, as change records need it. Used by the commit thread alone.
class ChangeClock {
 public:
  int64_t Now(const Clock& clock) {
    last_ms_ = std::max(last_ms_, clock.NowMs());
    return last_ms_;
  }
  void AdvanceTo(int64_t ms) { last_ms_ = std::max(last_ms_, ms); }

 private:
  int64_t last_ms_ = 0;
};

/// Everything that the engine's operations share. Owned by RocksDatabase.
struct Core {
  Core(EngineConfig engine_config, const Clock& engine_clock)
      : config(std::move(engine_config)),
        clock(engine_clock),
        disk_space({config.directory, config.min_free_bytes, config.ballast_bytes},
                   [this] { return FreeBytesNow(); }),
        committer(*this) {}
  ~Core() {
    // The two call each other; both are gone before what they use.
    disk_space.Stop();
    committer.Stop();
  }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  const EngineConfig config;
  const Clock& clock;
  DiskSpace disk_space;
  std::unique_ptr<Storage> storage;
  Catalog catalog;
  Statistics statistics;

  // Of the commit thread alone.
  Tokens tokens;
  Backfills backfills;
  ChangeClock change_clock;
  uint64_t next_position = 1;
  int64_t next_trim_ms = 0;
  TableId next_table_id = 1;

  Committer committer;

 private:
  // A buffer that did not fit on the disk says more than the system does: other files may have been
  // in its way, which are gone again by now.
  std::optional<uint64_t> FreeBytesNow() const {
    return storage && storage->waits_for_space() ? 0 : FreeBytes(config);
  }
};

}  // namespace tintype::tables::engine
