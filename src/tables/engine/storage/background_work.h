#pragma once

#include <rocksdb/listener.h>

#include <atomic>
#include <cstdint>

namespace tintype::tables::engine {

/// Counts what RocksDB does in the background: flushes and compactions. Told on RocksDB's threads.
/// Thread-safe.
class BackgroundWork : public rocksdb::EventListener {
 public:
  void OnFlushCompleted(rocksdb::DB* /*db*/, const rocksdb::FlushJobInfo& flush) override {
    const rocksdb::TableProperties& table = flush.table_properties;
    flushes_.fetch_add(1, std::memory_order_relaxed);
    flush_written_bytes_.fetch_add(table.data_size + table.index_size + table.filter_size,
                                   std::memory_order_relaxed);
  }

  void OnCompactionCompleted(rocksdb::DB* /*db*/,
                             const rocksdb::CompactionJobInfo& compaction) override {
    compactions_.fetch_add(1, std::memory_order_relaxed);
    const rocksdb::CompactionJobStats& stats = compaction.stats;
    compaction_read_bytes_.fetch_add(stats.total_input_bytes, std::memory_order_relaxed);
    compaction_written_bytes_.fetch_add(stats.total_output_bytes, std::memory_order_relaxed);
    compaction_cpu_us_.fetch_add(stats.cpu_micros, std::memory_order_relaxed);
  }

  uint64_t flushes() const { return flushes_.load(std::memory_order_relaxed); }
  uint64_t flush_written_bytes() const {
    return flush_written_bytes_.load(std::memory_order_relaxed);
  }
  uint64_t compactions() const { return compactions_.load(std::memory_order_relaxed); }
  uint64_t compaction_read_bytes() const {
    return compaction_read_bytes_.load(std::memory_order_relaxed);
  }
  uint64_t compaction_written_bytes() const {
    return compaction_written_bytes_.load(std::memory_order_relaxed);
  }
  uint64_t compaction_cpu_us() const { return compaction_cpu_us_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> flushes_ = 0;
  std::atomic<uint64_t> flush_written_bytes_ = 0;
  std::atomic<uint64_t> compactions_ = 0;
  std::atomic<uint64_t> compaction_read_bytes_ = 0;
  std::atomic<uint64_t> compaction_written_bytes_ = 0;
  std::atomic<uint64_t> compaction_cpu_us_ = 0;
};

}  // namespace tintype::tables::engine
