#include "tables/engine/storage/storage.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/table.h>
#include <sys/statvfs.h>

#include <cstdarg>
#include <cstdio>

#include "base/logging.h"
#include "base/mutex.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "tables/engine/encryption/encrypted_file_system.h"
#include "tables/engine/encryption/keyring_file.h"
#include "tables/engine/storage/background_errors.h"
#include "tables/engine/storage/background_work.h"
#include "tables/engine/storage/log_check.h"
#include "tables/engine/storage/log_guard.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {
namespace {

std::shared_ptr<rocksdb::FileSystem> FileSystemOf(const EngineConfig& config) {
  return config.file_system ? config.file_system : rocksdb::FileSystem::Default();
}

// The keyring of an encrypted directory; null when it is to be a plain one. RocksDB is about to
// take the lock again, which is given back here: a process that takes it in between adds keys to
// the ring, and never removes one.
Result<std::shared_ptr<const Keyring>> FindKeyring(const EngineConfig& config, const Clock& clock) {
  ASSIGN_OR_RETURN(const auto lock, DirectoryLock::Take(config.file_system, config.directory));
  if (config.master_key) {
    ASSIGN_OR_RETURN(Keyring keyring, OpenKeyring(*lock, *config.master_key, clock.NowMs()));
    return std::shared_ptr<const Keyring>(std::make_shared<const Keyring>(std::move(keyring)));
  }
  ASSIGN_OR_RETURN(const DirectoryKeys keys, InspectDirectoryKeys(*lock));
  if (keys.master) {
    return Error::Validation(StrCat("The directory ", config.directory,
                                    " is encrypted under the master key ", *keys.master,
                                    "; it cannot be opened without encryption."));
  }
  return std::shared_ptr<const Keyring>();
}

// RocksDB's own log goes to ours, from warnings up. Without this it would write a LOG file, in
// plain text, into an encrypted directory.
class LogForwarder : public rocksdb::Logger {
 public:
  LogForwarder() : rocksdb::Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}

  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    Logv(rocksdb::InfoLogLevel::WARN_LEVEL, format, arguments);
  }
  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < GetInfoLogLevel() || level == rocksdb::InfoLogLevel::HEADER_LEVEL) {
      return;
    }
    char text[1024];
    std::vsnprintf(text, sizeof text, format, arguments);
    // Every backup brings two of these: two parts of RocksDB keep files from being deleted at once.
    if (std::string_view(text).find("] File Deletions ") != std::string_view::npos) {
      return;
    }
    const bool warning = level == rocksdb::InfoLogLevel::WARN_LEVEL;
    const LogLevel ours = warning ? LogLevel::kWarning : LogLevel::kError;
    {
      const MutexLock lock(mutex_);
      if (opening_) {
        held_.emplace_back(ours, text);
        return;
      }
    }
    Log(ours, "rocksdb", {{"message", text}});
  }

  /// While opening, messages are held back: a failure is told once, in our words.
  void Opened() {
    const MutexLock lock(mutex_);
    opening_ = false;
    for (const auto& [level, text] : held_) {
      Log(level, "rocksdb", {{"message", text}});
    }
    held_.clear();
  }

  /// The first damage that was told of while opening. For a damaged write-ahead log it names the
  /// file, which the status that comes back does not.
  std::string FirstDamage() const {
    const MutexLock lock(mutex_);
    for (const auto& [level, text] : held_) {
      if (text.find("Corruption") != std::string::npos) {
        return text;
      }
    }
    return {};
  }

 private:
  mutable Mutex mutex_;
  bool opening_ GUARDED_BY(mutex_) = true;
  std::vector<std::pair<LogLevel, std::string>> held_ GUARDED_BY(mutex_);
};

// The engine's own data is little and often written over: it needs no large buffer.
constexpr size_t kSmallBufferFraction = 8;

// The cache in as many parts as RocksDB would make, each with a lock of its own, but none smaller
// than a few of the filters and indexes that stay in it: they would leave no room in their part.
std::shared_ptr<rocksdb::Cache> MakeCache(size_t bytes) {
  constexpr size_t kPartBytesMin = size_t{8} << 20;
  constexpr int kPartBitsMax = 6;
  int bits = 0;
  while (bits < kPartBitsMax && (bytes >> (bits + 1)) >= kPartBytesMin) {
    ++bits;
  }
  return rocksdb::NewLRUCache(bytes, bits);
}

rocksdb::ColumnFamilyOptions FamilyOptions(const EngineConfig& config,
                                           const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.format_version = 5;
  table.block_size = size_t{8} << 10;
  // Records are large beside their keys: what sharing key prefixes over longer runs would save is
  // little, what each read has to step over is much.
  table.block_restart_interval = 4;
  // Indexes and filters, about 1 % of what the tables hold, count against the cache, so that its
  // size bounds them too. They stay there as long as their file is open: looking each up would cost
  // a read more than the block itself, and one that has to be read again much more.
  table.cache_index_and_filter_blocks = true;
  table.metadata_cache_options.unpartitioned_pinning = rocksdb::PinningTier::kAll;
  // A hash index inside each block spares point reads the binary search.
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;

  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.write_buffer_size = config.write_buffer_bytes;
  // One that fills and one that is being written out. A third would have writes wait less often,
  // for more memory.
  options.max_write_buffer_number = 2;
  options.compression = rocksdb::kLZ4Compression;
  options.level_compaction_dynamic_level_bytes = true;
  // Most reads are of items that have left the write buffer; a filter spares them its search.
  options.memtable_prefix_bloom_size_ratio = 0.02;
  options.memtable_whole_key_filtering = true;
  return options;
}

// The first sorted file that cannot be opened; empty when all can. For errors that do not say which
// file they are about: about the end of a sorted file, where its format and its index are told.
std::string FindUnreadableTable(rocksdb::Env& env, const std::string& directory) {
  rocksdb::Options options;
  options.env = &env;
  std::vector<std::string> names;
  env.GetChildren(directory, &names).PermitUncheckedError();
  for (const std::string& name : names) {
    std::string path = StrCat(directory, "/", name);
    rocksdb::SstFileReader reader(options);
    if (name.ends_with(".sst") && !reader.Open(path).ok()) {
      return path;
    }
  }
  return {};
}

// Looks for damage that RocksDB would not survive, or not notice.
Status CheckFiles(rocksdb::FileSystem& files, const std::string& directory) {
  // It asserts that this one can be read as far as the disk can.
  std::unique_ptr<rocksdb::FSSequentialFile> identity;
  const rocksdb::IOStatus status =
      files.NewSequentialFile(directory + "/IDENTITY", rocksdb::FileOptions(), &identity, nullptr);
  if (status.IsCorruption()) {
    return Error::Corruption(status.ToString());
  }
  return CheckLogFiles(files, directory);
}

rocksdb::DBOptions DatabaseOptions(const EngineConfig& config,
                                   const std::shared_ptr<LogForwarder>& log) {
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.info_log = log;
  // The default mode silently drops everything after the first damaged record, synced writes
  // included. This one drops only an incomplete tail and refuses to open on damage.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  options.recycle_log_file_num = 0;
  options.max_background_jobs = 2;
  // A log file is needed until the buffers of every column family that it tells of are written, and
  // some fill slowly. Without a limit, what a start after a crash has to replay would grow to
  // gigabytes.
  options.max_total_wal_size = 4 * config.write_buffer_bytes;
  options.bytes_per_sync = size_t{1} << 20;
  options.keep_log_file_num = 1;
  options.max_open_files = 1000;
  options.stats_dump_period_sec = 0;
  return options;
}

// The file that a message of RocksDB names. A missing 000012.sst is reported under the name that
// older versions gave such files, 000012.ldb.
std::string DamagedFile(const EngineConfig& config, const std::string& message) {
  const size_t begin = message.find(config.directory + "/");
  if (begin == std::string::npos) {
    return {};
  }
  std::string file = message.substr(begin, message.find_first_of(": ", begin) - begin);
  if (file.ends_with(".ldb")) {
    file.replace(file.size() - 4, 4, ".sst");
  }
  return file;
}

Error DamageError(const EngineConfig& config, const std::string& file, const std::string& detail) {
  return Error::Corruption(StrCat("The data directory ", config.directory,
                                  " was not opened: the file ", file,
                                  " is damaged or missing. Nothing was changed. Bring the file "
                                  "back from a backup; deleting it would lose data. (",
                                  detail, ")"));
}

Error OpenError(const EngineConfig& config, rocksdb::Env& env, const rocksdb::Status& status,
                const std::string& first_damage) {
  const std::string text = status.ToString();
  if (status.IsIOError() && text.find("LOCK") != std::string::npos) {
    return {tables::reasons::kAlreadyOpen,
            StrCat("The directory ", config.directory, " is in use by another process.")};
  }
  if (status.IsCorruption() || text.find("No such file") != std::string::npos) {
    std::string file = DamagedFile(config, text);
    if (file.empty()) {
      file = DamagedFile(config, first_damage);
    }
    // About the end of a sorted file RocksDB names none, or the MANIFEST, which was being read.
    if (file.empty() || file.find("/MANIFEST-") != std::string::npos) {
      const std::string table = FindUnreadableTable(env, config.directory);
      file = table.empty() ? file : table;
    }
    return DamageError(config, file, text);
  }
  return Error::Io(StrCat("Cannot open the data directory ", config.directory, ": ", text));
}

}  // namespace

Error FromRocksDb(const rocksdb::Status& status) {
  const std::string text = status.ToString();
  LogError("storage error", {{"status", text}});
  const ErrorKind kind = status.IsCorruption() ? ErrorKind::kCorruption : ErrorKind::kIo;
  return Error(kind, "Internal server error").WithNote(text);
}

Result<std::unique_ptr<Storage>> Storage::Open(const EngineConfig& config, const Clock& clock) {
  ASSIGN_OR_RETURN(std::shared_ptr<const Keyring> keyring, FindKeyring(config, clock));
  const std::shared_ptr<rocksdb::FileSystem> files =
      keyring ? MakeEncryptedFileSystem(FileSystemOf(config), keyring) : FileSystemOf(config);
  const std::shared_ptr<rocksdb::Cache> cache = MakeCache(config.cache_bytes);
  const rocksdb::ColumnFamilyOptions large = FamilyOptions(config, cache);
  rocksdb::ColumnFamilyOptions small = large;
  small.write_buffer_size = config.write_buffer_bytes / kSmallBufferFraction;
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = {
      {"default", small}, {"meta", small}, {"data", large}, {"log", large}};
  if (const Status sound = CheckFiles(*files, config.directory); !sound.ok()) {
    const std::string& text = sound.error().message();
    return sound.error().kind() == ErrorKind::kCorruption
               ? DamageError(config, DamagedFile(config, text), text)
               : sound.error();
  }
  const auto log = std::make_shared<LogForwarder>();
  std::unique_ptr<Storage> storage(new Storage(config, std::move(keyring), files));
  rocksdb::DBOptions options = DatabaseOptions(config, log);
  options.env = storage->env_.get();
  options.listeners = {storage->errors_, storage->work_};
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(options, config.directory, families, &handles, &db);
  if (!status.ok()) {
    return OpenError(config, *storage->env_, status, log->FirstDamage());
  }
  log->Opened();
  storage->db_.reset(db);
  storage->default_ = handles[0];
  storage->meta_ = handles[1];
  storage->data_ = handles[2];
  storage->log_ = handles[3];
  return storage;
}

Storage::Storage(const EngineConfig& config, std::shared_ptr<const Keyring> keyring,
                 const std::shared_ptr<rocksdb::FileSystem>& files)
    : sync_(!config.relaxed_durability),
      keyring_(std::move(keyring)),
      log_syncs_(std::make_shared<metrics::Histogram>(metrics::kDurationBounds)),
      env_(rocksdb::NewCompositeEnv(GuardLogs(files, log_syncs_))),
      errors_(std::make_shared<BackgroundErrors>()),
      work_(std::make_shared<BackgroundWork>()) {}

Storage::~Storage() {
  if (!db_) {
    return;  // It was not opened.
  }
  for (rocksdb::ColumnFamilyHandle* handle : {default_, meta_, data_, log_}) {
    db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  db_->Close().PermitUncheckedError();
}

Result<bool> Storage::Get(std::string_view key, rocksdb::PinnableSlice& value,
                          const rocksdb::Snapshot* snapshot) {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  const rocksdb::Status status = db_->Get(options, data_, ToSlice(key), &value);
  if (status.ok()) {
    return true;
  }
  if (status.IsNotFound()) {
    return false;
  }
  return FromRocksDb(status);
}

Status Storage::Write(rocksdb::WriteBatch& batch) {
  rocksdb::WriteOptions options;
  options.sync = sync_;
  const rocksdb::Status status = db_->Write(options, &batch);
  if (status.ok()) {
    return OkStatus();
  }
  // A severity is set on errors that happened earlier, in the background: then RocksDB refuses
  // before it touches the log. "No space" of the log itself is no such error, see log_guard.h.
  if (status.IsNoSpace() && status.severity() == rocksdb::Status::Severity::kHardError) {
    return Error(ErrorKind::kUnavailable, "The disk is full").WithNote(status.ToString());
  }
  return FromRocksDb(status);
}

Status Storage::ReleaseRange(const std::string& begin, const std::string& end,
                             std::atomic<bool>& canceled) {
  // Rows left in files of others are left to the merging that goes on anyway unless they take more.
  constexpr uint64_t kWorthMerging = uint64_t{1} << 20;
  const rocksdb::Slice first(begin);
  const rocksdb::Slice last(end);
  rocksdb::Status status =
      rocksdb::DeleteFilesInRange(db_.get(), data_, &first, &last, /*include_end=*/false);
  if (!status.ok()) {
    return FromRocksDb(status);
  }
  const rocksdb::Range range(first, last);
  rocksdb::SizeApproximationOptions files;
  uint64_t left = 0;
  status = db_->GetApproximateSizes(files, data_, &range, 1, &left);
  if (status.ok() && left >= kWorthMerging) {
    rocksdb::CompactRangeOptions options;
    options.exclusive_manual_compaction = false;
    options.canceled = &canceled;
    status = db_->CompactRange(options, data_, &first, &last);
  }
  return status.ok() || canceled ? OkStatus() : Status(FromRocksDb(status));
}

Status Storage::Flush() {
  rocksdb::FlushOptions options;
  options.allow_write_stall = true;  // Nobody writes who could be stalled.
  const rocksdb::Status status = db_->Flush(options, {default_, meta_, data_, log_});
  return status.ok() ? OkStatus() : Status(Error::Io(status.ToString()));
}

bool Storage::falls_behind() const {
  using Properties = rocksdb::DB::Properties;
  const auto number = [this](const std::string& property) {
    uint64_t value = 0;
    return db_->GetIntProperty(data_, property, &value) ? value : 0;
  };
  // RocksDB begins to merge new files when there are 4, and slows writes down when there are 20.
  constexpr uint64_t kNewFiles = 10;
  std::string new_files;
  if (db_->GetProperty(data_, Properties::kNumFilesAtLevelPrefix + "0", &new_files) &&
      ParseInteger<uint64_t>(new_files).value_or(0) >= kNewFiles) {
    return true;
  }
  // It stops writes when a buffer is full before the last one is written.
  if (number(Properties::kNumImmutableMemTable) == 0) {
    return false;
  }
  const uint64_t filling = number(Properties::kCurSizeActiveMemTable);
  return 2 * filling > number(Properties::kCurSizeAllMemTables) - filling;
}

bool Storage::waits_for_space() const { return errors_->waits_for_space(); }

std::optional<uint64_t> FreeBytes(const EngineConfig& config) {
  if (!config.file_system) {
    // RocksDB counts what the disk keeps for root, if the process is root's. Such a part may be
    // large, and may be no more than a number: some disks report space that they do not have.
    struct statvfs disk {};
    return ::statvfs(config.directory.c_str(), &disk) == 0
               ? std::optional(uint64_t{disk.f_bavail} * disk.f_frsize)
               : std::nullopt;
  }
  uint64_t free = 0;
  const rocksdb::IOStatus status =
      FileSystemOf(config)->GetFreeSpace(config.directory, rocksdb::IOOptions(), &free, nullptr);
  return status.ok() ? std::optional(free) : std::nullopt;
}

}  // namespace tintype::tables::engine
