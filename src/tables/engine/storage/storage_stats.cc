#include "tables/engine/storage/storage_stats.h"

#include <rocksdb/db.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "base/strings.h"
#include "tables/engine/storage/background_work.h"
#include "tables/engine/storage/storage.h"

namespace tintype::tables::engine {
namespace {

using Properties = rocksdb::DB::Properties;
using PropertyMap = std::map<std::string, std::string>;

// RocksDB's maps hold numbers as texts, some of them with a fraction; 0 for one that is missing.
double Number(const PropertyMap& map, const std::string& name) {
  const auto found = map.find(name);
  return found == map.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}
uint64_t Count(const PropertyMap& map, const std::string& name) {
  return static_cast<uint64_t>(Number(map, name));
}

// Of all column families together.
uint64_t Sum(rocksdb::DB& db, const std::string& property) {
  uint64_t sum = 0;
  return db.GetAggregatedIntProperty(property, &sum) ? sum : 0;
}

// Of the database as a whole, or of what its column families share.
uint64_t Value(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family, const std::string& property) {
  uint64_t value = 0;
  return db.GetIntProperty(family, property, &value) ? value : 0;
}

uint64_t LogBytes(rocksdb::Env& env, const std::string& directory) {
  std::vector<std::string> names;
  env.GetChildren(directory, &names).PermitUncheckedError();
  uint64_t sum = 0;
  for (const std::string& name : names) {
    uint64_t bytes = 0;
    // One that is deleted meanwhile counts nothing.
    if (name.ends_with(".log") && env.GetFileSize(StrCat(directory, "/", name), &bytes).ok()) {
      sum += bytes;
    }
  }
  return sum;
}

void AddFamily(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family, StorageStats& stats) {
  PropertyMap map;
  if (!db.GetMapProperty(family, Properties::kCFStats, &map)) {
    return;
  }
  stats.write_slowdowns_total += Count(map, "io_stalls.total_slowdown");
  stats.write_stops_total += Count(map, "io_stalls.total_stop");
  for (size_t level = 0; level < StorageStats::kLevels; ++level) {
    const std::string prefix = StrCat("compaction.L", level, ".");
    stats.level_files[level] += Count(map, prefix + "NumFiles");
    stats.level_bytes[level] += Count(map, prefix + "SizeBytes");
  }
}

}  // namespace

StorageStats Storage::stats() const {
  StorageStats stats;
  stats.flushes_total = work_->flushes();
  stats.flush_written_bytes_total = work_->flush_written_bytes();
  stats.compactions_total = work_->compactions();
  stats.compaction_read_bytes_total = work_->compaction_read_bytes();
  stats.compaction_written_bytes_total = work_->compaction_written_bytes();
  stats.compaction_cpu_seconds_total = static_cast<double>(work_->compaction_cpu_us()) / 1e6;

  stats.log_syncs = log_syncs_->Read();
  PropertyMap map;
  if (db_->GetMapProperty(Properties::kDBStats, &map)) {
    stats.log_written_bytes_total = Count(map, "db.wal_bytes_written");
    stats.write_stall_seconds_total = Number(map, "db.user_write_stall_micros") / 1e6;
  }
  for (rocksdb::ColumnFamilyHandle* family : {default_, meta_, data_, log_}) {
    AddFamily(*db_, family, stats);
  }
  stats.log_bytes = LogBytes(*env_, db_->GetName());
  stats.flushes_running = Value(*db_, data_, Properties::kNumRunningFlushes);
  stats.compactions_running = Value(*db_, data_, Properties::kNumRunningCompactions);
  stats.compaction_pending_bytes = Sum(*db_, Properties::kEstimatePendingCompactionBytes);
  stats.writes_stopped = Value(*db_, data_, Properties::kIsWriteStopped) != 0;
  stats.cache_bytes = Value(*db_, data_, Properties::kBlockCacheUsage);
  stats.cache_bytes_limit = Value(*db_, data_, Properties::kBlockCacheCapacity);
  stats.memtable_bytes = Sum(*db_, Properties::kSizeAllMemTables);
  stats.table_reader_bytes = Sum(*db_, Properties::kEstimateTableReadersMem);
  return stats;
}

}  // namespace tintype::tables::engine
