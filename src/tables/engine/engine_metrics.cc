#include "tables/engine/engine_metrics.h"

#include <cstddef>

#include "base/strings.h"

namespace tintype::tables::engine {
namespace {

void ShowDisk(metrics::Samples& out, const RocksDatabase::DiskStatus& disk) {
  out.Gauge("tintype_disk_free_bytes", "Free space on the disk of the tables.")
      .Sample({}, disk.free_bytes);
  out.Gauge("tintype_disk_writes_refused",
            "1 while writes are refused because the disk is nearly full, else 0.")
      .Sample({}, disk.writes_refused);
}

void ShowCommits(metrics::Samples& out, const CommitStats& commits) {
  out.Histogram("tintype_commit_group_tasks",
                "Writes, transactions and table changes that were committed together: each group "
                "is one batch and, unless durability is relaxed, one sync.")
      .Sample({}, metrics::Distribution{
                      {CommitStats::kTaskBounds.begin(), CommitStats::kTaskBounds.end()},
                      {commits.groups_by_tasks.begin(), commits.groups_by_tasks.end()},
                      static_cast<double>(commits.tasks_total)});
  out.Histogram("tintype_commit_write_duration_seconds",
                "Time to write and sync the batch of a group, stalls included.")
      .Sample({}, commits.write_durations);
  out.Counter("tintype_commit_written_bytes_total", "Size of the batches.")
      .Sample({}, commits.bytes_total);
  out.Counter("tintype_commit_refused_total", "Writes refused because too many were waiting.")
      .Sample({}, commits.refused_total);
  out.Gauge("tintype_commit_waiting", "Writes that wait for the commit thread.")
      .Sample({}, commits.waiting);
}

void ShowLog(metrics::Samples& out, const StorageStats& storage) {
  out.Histogram("tintype_log_sync_duration_seconds", "Time of a sync of the write-ahead log.")
      .Sample({}, storage.log_syncs);
  out.Counter("tintype_log_written_bytes_total", "Bytes written to the write-ahead log.")
      .Sample({}, storage.log_written_bytes_total);
  out.Gauge("tintype_log_bytes",
            "Write-ahead logs on disk: what a start after a crash has to replay.")
      .Sample({}, storage.log_bytes);
}

void ShowBackgroundWork(metrics::Samples& out, const StorageStats& storage) {
  out.Counter("tintype_storage_flushes_total", "Times that memory was written to a sorted file.")
      .Sample({}, storage.flushes_total);
  out.Counter("tintype_storage_flush_written_bytes_total", "Bytes written by flushes.")
      .Sample({}, storage.flush_written_bytes_total);
  out.Gauge("tintype_storage_flushes_running", "Flushes in progress.")
      .Sample({}, storage.flushes_running);
  out.Counter("tintype_storage_compactions_total", "Compactions: sorted files that were merged.")
      .Sample({}, storage.compactions_total);
  out.Counter("tintype_storage_compaction_read_bytes_total", "Bytes read by compactions.")
      .Sample({}, storage.compaction_read_bytes_total);
  out.Counter("tintype_storage_compaction_written_bytes_total", "Bytes written by compactions.")
      .Sample({}, storage.compaction_written_bytes_total);
  out.Counter("tintype_storage_compaction_cpu_seconds_total", "Processor time of compactions.")
      .Sample({}, storage.compaction_cpu_seconds_total);
  out.Gauge("tintype_storage_compactions_running", "Compactions in progress.")
      .Sample({}, storage.compactions_running);
  out.Gauge("tintype_storage_compaction_pending_bytes",
            "An estimate of what compactions have yet to rewrite.")
      .Sample({}, storage.compaction_pending_bytes);
}

void ShowStalls(metrics::Samples& out, const StorageStats& storage) {
  out.Counter("tintype_storage_write_slowdowns_total",
              "Times that writes were slowed down because flushes or compactions were behind.")
      .Sample({}, storage.write_slowdowns_total);
  out.Counter("tintype_storage_write_stops_total",
              "Times that writes were stopped because flushes or compactions were behind.")
      .Sample({}, storage.write_stops_total);
  out.Counter("tintype_storage_write_stall_seconds_total",
              "Time that writes were held up for these reasons.")
      .Sample({}, storage.write_stall_seconds_total);
  out.Gauge("tintype_storage_writes_stopped", "1 while writes are stopped, else 0.")
      .Sample({}, storage.writes_stopped);
}

void ShowMemoryAndFiles(metrics::Samples& out, const StorageStats& storage) {
  out.Gauge("tintype_storage_cache_bytes", "Memory of cached blocks.")
      .Sample({}, storage.cache_bytes);
  out.Gauge("tintype_storage_cache_limit_bytes", "Memory that cached blocks may take.")
      .Sample({}, storage.cache_bytes_limit);
  out.Gauge("tintype_storage_memtable_bytes", "Memory of writes that are not in sorted files yet.")
      .Sample({}, storage.memtable_bytes);
  out.Gauge("tintype_storage_table_reader_bytes",
            "Memory of the indexes and filters of sorted files.")
      .Sample({}, storage.table_reader_bytes);
  metrics::Family& files = out.Gauge("tintype_storage_level_files",
                                     "Sorted files by level; new ones arrive at level 0.");
  metrics::Family& bytes =
      out.Gauge("tintype_storage_level_bytes", "Size of the sorted files by level.");
  for (size_t level = 0; level < StorageStats::kLevels; ++level) {
    files.Sample({{"level", StrCat(level)}}, storage.level_files[level]);
    bytes.Sample({{"level", StrCat(level)}}, storage.level_bytes[level]);
  }
}

}  // namespace

metrics::Registration CollectEngine(metrics::Registry& registry, const RocksDatabase& database) {
  return registry.Collect([&database](metrics::Samples& out) {
    const EngineStats stats = database.stats();
    ShowDisk(out, database.disk_status());
    ShowCommits(out, stats.commits);
    ShowLog(out, stats.storage);
    ShowBackgroundWork(out, stats.storage);
    ShowStalls(out, stats.storage);
    ShowMemoryAndFiles(out, stats.storage);
  });
}

}  // namespace tintype::tables::engine
