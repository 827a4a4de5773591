#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "crypto/secret_key.h"

namespace rocksdb {
class FileSystem;
}

namespace tintype::tables::engine {

/// Settings of the embedded engine.
struct EngineConfig {
  /// Where the tables live. Created if missing. One process at a time.
  std::string directory;

  /// Everything that RocksDB writes is encrypted under this key, which opens the file KEYS of the
  /// directory. A directory stays with or without encryption for good. Absent: plain files, for
  /// tests and for measuring what encryption costs.
  std::optional<crypto::SecretKey> master_key;

  /// False: a write is answered when it is on disk. True: when the operating system has it; a power
  /// cut may lose the last moments, though never a part of a write. Default: false.
  bool relaxed_durability = false;

  /// Bytes of memory for blocks, indexes and filters of files. Default: 256 MB. Large tables: more.
  size_t cache_bytes = size_t{256} << 20;

  /// Bytes of memory that collect writes before they go to a sorted file. Default: 64 MB. Items and
  /// changes have two each, one filling and one on its way to the disk, and the rest two of an
  /// eighth: 4.25 in all, beside the cache. Log files on disk take as much as four.
  size_t write_buffer_bytes = size_t{64} << 20;

  /// Writes that may wait for the commit thread. More are refused with kOverloaded. Default:
  /// 65,536.
  size_t commit_queue_limit = 65536;

  /// Threads for reads of many items, which are answered on them unless they are small and in
  /// memory. Default: 2, so that one that waits for the disk leaves the other. More help when the
  /// tables are larger than the memory and the disk takes many reads at once.
  size_t read_threads = 2;

  /// Reads of many items that may wait for those threads, small ones and large ones each. More are
  /// refused with kOverloaded. Default: 1,024.
  size_t read_queue_limit = 1024;

  /// Writes what is in memory to sorted files when the tables are closed, so that the next start
  /// has nothing to replay. Default: true. False leaves a log as a crash does, for tests of
  /// replaying.
  bool flush_at_close = true;

  /// Below this many free bytes on the disk, writes of clients that add data are refused with
  /// kUnavailable until there is room again; below a quarter of it, deletions and this server's own
  /// too. The data in memory must still fit when it is written out, hence the default of 384 MB:
  /// two write buffers each of `data` and `log`, the log file that is set aside for the next ones,
  /// and as much again for a compaction. Zero: only when RocksDB itself found no space.
  uint64_t min_free_bytes = uint64_t{384} << 20;

  /// Size of a file that holds disk space back from everybody else and is given up when hardly any
  /// is left, so that deletions and a clean restart stay possible. Default: 64 MB. Zero: no such
  /// file.
  uint64_t ballast_bytes = uint64_t{64} << 20;

  /// Where backups of tables are kept. Created when the first one is made. Empty: `backups` beside
  /// the tables' files.
  std::string backup_directory;

  /// Backups of tables are deleted after so many days. Default: a year.
  int64_t backup_retention_days = 365;

  /// How often expired items are looked for. Default: a second.
  std::chrono::milliseconds housekeeping_interval{1000};

  /// Called once, on the commit thread, when the tables can no longer be written and every write
  /// that waited has been refused. The error names the file and what was done to it. Further writes
  /// are refused, reads go on, and only a fresh start can tell what is on disk: a server should
  /// exit.
  std::function<void(const Error&)> on_failure;

  /// What RocksDB reads and writes files through; null for the operating system's files. Shared
  /// with the database, which uses it until it is closed.
  std::shared_ptr<rocksdb::FileSystem> file_system;

  /// What table ARNs name: region and account.
  std::string region = "us-east-1";
  std::string account = "000000000000";
};

}  // namespace tintype::tables::engine
