#include "tables/engine/housekeeping.h"

#include <rocksdb/convenience.h>

#include <algorithm>
#include <map>

#include "base/logging.h"
#include "tables/engine/changes/change_log.h"
#include "tables/engine/commit/commit_group.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/expiry/expiry.h"
#include "tables/engine/recovery/table_backup.h"
#include "tables/engine/registry/durations.h"
#include "tables/engine/schema/backup_change.h"
#include "tables/engine/schema/stream_change.h"
#include "tables/language/shutting_down.h"

namespace tintype::tables::engine {
namespace {

constexpr int64_t kRemovalEveryMs = int64_t{10} * 60 * 1000;
// How long the records of each table are needed: by its streams, by its recovery, by restores that
// are going on.
std::map<TableId, int64_t> RetentionByTable(const Core& core, int64_t now_ms) {
  std::map<TableId, int64_t> retention;
  const auto need = [&](TableId table, int64_t ms) {
    retention[table] = std::max(retention[table], ms);
  };
  for (const TablePtr& table : core.tables.All()) {
    if (table->definition.stream) {
      need(table->id, kStreamRetentionMs + kIteratorLifeMs);
    }
    if (table->recovery) {
      need(table->id, table->recovery->days * kDayMs);
    }
  }
  for (const StreamInfo& stream : core.retired_streams.All()) {
    need(stream.table, kStreamRetentionMs + kIteratorLifeMs);
  }
  for (const auto& [table, since_ms] : TimesBeingRestored(core)) {
    need(table, now_ms - since_ms + kDayMs);
  }
  return retention;
}

// Space comes back when files are merged, which for the oldest ones may be never: those that hold
// nothing else are removed at once.
void ReleaseLogFiles(Core& core, const std::vector<std::pair<std::string, std::string>>& ranges) {
  for (const auto& [begin, end] : ranges) {
    const rocksdb::Slice first(begin);
    const rocksdb::Slice last(end);
    const rocksdb::Status released = rocksdb::DeleteFilesInRange(
        &core.storage->db(), core.storage->log(), &first, &last, /*include_end=*/false);
    if (!released.ok()) {
      LogWarning("files of the change log stay for now", {{"reason", released.ToString()}});
    }
  }
}

void TrimChangeLog(Core& core, int64_t now_ms) {
  const std::map<TableId, int64_t> retention = RetentionByTable(core, now_ms);
  auto expired = FindExpiredRecords(*core.storage, now_ms, [&](TableId table) {
    const auto found = retention.find(table);
    return found == retention.end() ? 0 : found->second;
  });
  if (!expired.ok()) {
    LogError("the change log is not trimmed", {{"reason", expired.error().message()}});
    return;
  }
  SubmitOwnWork<EmptyResponse>(
      core, Space::kFrees,
      [&core, ranges = *std::move(expired)](CommitGroup& group) -> Result<EmptyResponse> {
        for (const auto& [begin, end] : ranges) {
          group.batch().DeleteRange(core.storage->log(), begin, end).PermitUncheckedError();
        }
        ForgetOldStreams(group);
        group.OnWritten([&core, ranges] { ReleaseLogFiles(core, ranges); });
        return EmptyResponse{};
      },
      [](const Result<EmptyResponse>& trimmed) {
        // A command that opens and closes the tables at once has no time for it, which is no news.
        if (!trimmed.ok() && !trimmed.error().Is(reasons::kShuttingDown)) {
          LogWarning("the change log is trimmed later", {{"reason", trimmed.error().message()}});
        }
      });
}

}  // namespace

void Housekeeping::Start() {
  thread_ = std::thread([this] { Run(); });
}

void Housekeeping::RequestStop() {
  const MutexLock lock(mutex_);
  stopping_ = true;
  stop_arrived_.SignalAll();
}

void Housekeeping::Stop() {
  RequestStop();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Housekeeping::Run() {
  do {
    RemoveExpired();
    if (core_.clock.NowMs() >= next_removal_ms_) {
      RemoveOld();
    }
  } while (Wait(core_.config.housekeeping_interval));
}

bool Housekeeping::Wait(std::chrono::steady_clock::duration duration) {
  const MutexLock lock(mutex_);
  if (!stopping_) {
    stop_arrived_.WaitFor(mutex_, duration);
  }
  return !stopping_;
}

void Housekeeping::RemoveExpired() {
  // So many times as long as it took to remove some, it waits before it removes more.
  constexpr int kPause = 3;
  std::vector<TablePtr> tables = core_.tables.All();
  std::erase_if(tables, [](const TablePtr& table) { return !table->time_to_live; });
  while (!tables.empty()) {
    const auto began = std::chrono::steady_clock::now();
    // By turns, so that a table with much to remove does not hold up the others.
    std::erase_if(tables, [this](const TablePtr& table) {
      const Result<bool> more = RemoveExpiredItems(core_, *table);
      if (!more.ok()) {
        LogWarning("expired items stay for now",
                   {{"table", table->definition.name}, {"reason", more.error().message()}});
      }
      return !more.ok() || !*more;
    });
    if (!tables.empty() && !Wait(kPause * (std::chrono::steady_clock::now() - began))) {
      return;
    }
  }
}

void Housekeeping::RemoveOld() {
  const int64_t now_ms = core_.clock.NowMs();
  next_removal_ms_ = now_ms + kRemovalEveryMs;
  TrimChangeLog(core_, now_ms);
  RemoveExpiredBackups(core_, now_ms);
}

}  // namespace tintype::tables::engine
