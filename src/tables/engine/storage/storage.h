#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "metrics/instruments.h"
#include "tables/engine/encryption/keyring.h"
#include "tables/engine/storage/config.h"
#include "tables/engine/storage/storage_stats.h"

namespace tintype::tables::engine {

class BackgroundErrors;
class BackgroundWork;

/// RocksDB opened with our column families and settings. Owned by the engine's Core; thread-safe
/// for reading, written to by the commit thread alone. After a crash the write-ahead log is
/// replayed on open: a torn tail is what was never synced and is dropped; damage anywhere else
/// refuses to open and names the file.
class Storage {
 public:
  /// Fails with kAlreadyOpen when another process holds the directory, kCorruption when a file is
  /// damaged or missing, kValidation when the directory is encrypted under another master key or
  /// not as `config` says, kIo for all else.
  static Result<std::unique_ptr<Storage>> Open(const EngineConfig& config, const Clock& clock);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  rocksdb::DB& db() { return *db_; }
  /// What the database reads and writes its files through.
  rocksdb::Env& env() { return *env_; }
  /// What the files are encrypted with; null without encryption. A backup that is to be opened with
  /// the same master key is written through MakeEncryptedFileSystem with this, beside a copy of the
  /// file KEYS.
  const std::shared_ptr<const Keyring>& keyring() const { return keyring_; }
  rocksdb::ColumnFamilyHandle* meta() { return meta_; }
  rocksdb::ColumnFamilyHandle* data() { return data_; }
  rocksdb::ColumnFamilyHandle* log() { return log_; }

  /// Reads one key of `data`; false when there is none.
  Result<bool> Get(std::string_view key, rocksdb::PinnableSlice& value,
                   const rocksdb::Snapshot* snapshot = nullptr);

  /// Gives back the space of a range of `data` whose rows have been deleted. Takes as long as
  /// merging what lies among other rows; `canceled` interrupts that.
  Status ReleaseRange(const std::string& begin, const std::string& end,
                      std::atomic<bool>& canceled);

  /// Writes all that is in memory to sorted files, so that nothing is left to replay. For a clean
  /// stop, when nothing writes any more.
  Status Flush();

  /// True while RocksDB is so far behind with writing out and merging that it will soon slow every
  /// write down: long work should wait then. Takes microseconds.
  bool falls_behind() const;

  /// Writes the batch; with full durability it is on disk when this returns. Fails with
  /// kUnavailable when nothing was written because RocksDB waits for disk space. After any other
  /// failure it is not known what is on disk, and every further write fails.
  Status Write(rocksdb::WriteBatch& batch);

  /// True while RocksDB could not write out a buffer for lack of space. It looks for space every
  /// five seconds and goes on by itself.
  bool waits_for_space() const;

  /// Figures for metrics. Takes some locks of RocksDB's for microseconds and looks at the
  /// directory: meant for every few seconds, not for every request.
  StorageStats stats() const;

 private:
  Storage(const EngineConfig& config, std::shared_ptr<const Keyring> keyring,
          const std::shared_ptr<rocksdb::FileSystem>& files);

  const bool sync_;
  const std::shared_ptr<const Keyring> keyring_;  // Shared with the file system and with backups.
  const std::shared_ptr<metrics::Histogram> log_syncs_;  // Shared with the file system.
  std::unique_ptr<rocksdb::Env> env_;                    // Outlives the database.
  // Shared with RocksDB, which reports to them.
  const std::shared_ptr<BackgroundErrors> errors_;
  const std::shared_ptr<BackgroundWork> work_;
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::ColumnFamilyHandle* default_ = nullptr;
  rocksdb::ColumnFamilyHandle* meta_ = nullptr;
  rocksdb::ColumnFamilyHandle* data_ = nullptr;
  rocksdb::ColumnFamilyHandle* log_ = nullptr;
};

/// Bytes of the directory's disk that a process without privileges may use, or what
/// `config.file_system` says there are.
std::optional<uint64_t> FreeBytes(const EngineConfig& config);

/// A view of the database as of one moment, for as long as this lives.
class ScopedSnapshot {
 public:
  explicit ScopedSnapshot(rocksdb::DB& db) : db_(db), snapshot_(db.GetSnapshot()) {}
  ~ScopedSnapshot() { db_.ReleaseSnapshot(snapshot_); }
  ScopedSnapshot(const ScopedSnapshot&) = delete;
  ScopedSnapshot& operator=(const ScopedSnapshot&) = delete;
  const rocksdb::Snapshot* get() const { return snapshot_; }

 private:
  rocksdb::DB& db_;
  const rocksdb::Snapshot* snapshot_;
};

/// Turns a RocksDB status that is not OK into an error; its text, which names files, goes to the
/// note and the log, not to clients.
Error FromRocksDb(const rocksdb::Status& status);

inline rocksdb::Slice ToSlice(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

}  // namespace tintype::tables::engine
