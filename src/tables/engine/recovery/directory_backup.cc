#include "tables/engine/recovery/directory_backup.h"

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/utilities/backup_engine.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "base/mutex.h"
#include "base/strings.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/encrypted_file_system.h"
#include "tables/engine/encryption/keyring.h"
#include "tables/engine/storage/storage.h"

namespace tintype::tables::engine {
namespace {

constexpr uint64_t kReportBytes = uint64_t{1} << 20;
constexpr std::string_view kSharedFolder = "shared_checksum/";

rocksdb::BackupEngineOptions OptionsFor(const std::string& folder, rocksdb::Env& env) {
  rocksdb::BackupEngineOptions options(folder, &env);
  options.share_table_files = true;
  options.share_files_with_checksum = true;
  options.sync = true;
  options.max_background_operations = 1;
  options.callback_trigger_interval_size = kReportBytes;
  return options;
}

Error BackupError(std::string_view action, const std::string& folder,
                  const rocksdb::Status& status) {
  const std::string message = StrCat("Cannot ", action, " ", folder, ": ", status.ToString());
  if (status.IsCorruption()) {
    return Error::Corruption(message);
  }
  return status.IsNotFound() ? Error::NotFound(message) : Error::Io(message);
}

/// `private/3/MANIFEST-000005` is MANIFEST-000005. A shared file's name also tells who made it:
/// `shared_checksum/000012_sABC_4096.sst` is 000012.sst.
std::string NameAmongTables(std::string_view stored) {
  const std::string_view base = stored.substr(stored.rfind('/') + 1);
  if (!stored.starts_with(kSharedFolder)) {
    return std::string(base);
  }
  return StrCat(base.substr(0, base.find('_')), base.substr(base.rfind('.')));
}

/// What tells sorted files apart as far as their names in both places go: `000012_4096.sst`. Only
/// good for an estimate, since two histories of the same tables can have the same numbers.
std::string NumberAndSize(std::string_view shared_name) {
  const size_t size_at = shared_name.rfind('_');
  return size_at == std::string_view::npos
             ? std::string()
             : StrCat(shared_name.substr(0, shared_name.find('_')), shared_name.substr(size_at));
}

/// How far a backup is. Told by RocksDB's copying thread while the caller's waits for it. The lock
/// makes what `report` touches the one's or the other's.
class Progress {
 public:
  Progress(const TablesBackups::Report& report, uint64_t total_bytes)
      : report_(report), total_bytes_(total_bytes) {}

  /// So many bytes more. False when the backup is to be given up.
  bool Tell(uint64_t bytes) {
    const MutexLock lock(mutex_);
    done_bytes_ = std::min(done_bytes_ + bytes, total_bytes_);
    given_up_ = given_up_ || !report_(done_bytes_, total_bytes_);
    return !given_up_;
  }
  bool given_up() {
    const MutexLock lock(mutex_);
    return given_up_;
  }

 private:
  const TablesBackups::Report& report_;
  const uint64_t total_bytes_;
  Mutex mutex_;
  uint64_t done_bytes_ GUARDED_BY(mutex_) = 0;
  bool given_up_ GUARDED_BY(mutex_) = false;
};

}  // namespace

Result<std::unique_ptr<TablesBackups>> TablesBackups::Open(Storage& storage, std::string folder) {
  std::unique_ptr<TablesBackups> backups(new TablesBackups(storage, std::move(folder)));
  rocksdb::BackupEngine* engine = nullptr;
  const rocksdb::IOStatus status = rocksdb::BackupEngine::Open(
      OptionsFor(backups->folder_, storage.env()), &storage.env(), &engine);
  if (!status.ok()) {
    return BackupError("open the backups in", backups->folder_, status);
  }
  backups->engine_.reset(engine);
  return backups;
}

TablesBackups::TablesBackups(Storage& storage, std::string folder)
    : storage_(storage), folder_(std::move(folder)) {}

TablesBackups::~TablesBackups() = default;

std::vector<uint32_t> TablesBackups::ids() const {
  std::vector<rocksdb::BackupInfo> infos;
  engine_->GetBackupInfo(&infos);
  std::vector<uint32_t> ids;
  ids.reserve(infos.size());
  for (const rocksdb::BackupInfo& info : infos) {
    ids.push_back(info.backup_id);
  }
  return ids;
}

std::vector<uint32_t> TablesBackups::damaged_ids() const {
  std::vector<rocksdb::BackupID> ids;
  engine_->GetCorruptedBackups(&ids);
  return ids;
}

uint64_t TablesBackups::BytesToCopy() const {
  std::vector<std::string> children;
  storage_.env().GetChildren(StrCat(folder_, "/", kSharedFolder), &children).PermitUncheckedError();
  std::set<std::string> present;
  for (const std::string& child : children) {
    present.insert(NumberAndSize(child));
  }
  rocksdb::LiveFilesStorageInfoOptions options;
  // Without this, asking for the list would write out what is in memory.
  options.wal_size_for_flush = std::numeric_limits<uint64_t>::max();
  std::vector<rocksdb::LiveFileStorageInfo> files;
  storage_.db().GetLiveFilesStorageInfo(options, &files).PermitUncheckedError();
  uint64_t bytes = 0;
  for (const rocksdb::LiveFileStorageInfo& file : files) {
    const std::string& name = file.relative_filename;
    const std::string stored = StrCat(name.substr(0, name.find('.')), "_", file.size, ".sst");
    if (!name.ends_with(".sst") || !present.contains(stored)) {
      bytes += file.size;
    }
  }
  return bytes;
}

Result<TablesBackup> TablesBackups::Create(const Report& report) {
  Progress progress(report, BytesToCopy());
  TablesBackup backup;
  rocksdb::IOStatus status;
  if (progress.Tell(0)) {
    rocksdb::CreateBackupOptions options;
    // Nothing is written out for the sake of a backup: the log is copied instead.
    options.flush_before_backup = false;
    options.progress_callback = [&progress, this] {
      if (!progress.Tell(kReportBytes)) {
        engine_->StopBackup();
      }
    };
    status = engine_->CreateNewBackup(options, &storage_.db(), &backup.id);
  }
  if (progress.given_up() && (!status.ok() || backup.id == 0)) {
    return Error(ErrorKind::kUnavailable, "The backup was cancelled");
  }
  if (!status.ok()) {
    return BackupError("write the backup to", folder_, status);
  }
  rocksdb::BackupInfo info;
  const rocksdb::Status found = engine_->GetBackupInfo(backup.id, &info, true);
  if (!found.ok()) {
    return BackupError("read the backup in", folder_, found);
  }
  for (const rocksdb::BackupFileInfo& file : info.file_details) {
    backup.files.push_back({file.relative_filename, NameAmongTables(file.relative_filename)});
  }
  backup.files.push_back({StrCat("meta/", backup.id), ""});
  return backup;
}

Status TablesBackups::Delete(uint32_t id) {
  const rocksdb::IOStatus status = engine_->DeleteBackup(id);
  return status.ok() ? OkStatus() : Status(BackupError("remove a backup from", folder_, status));
}

Result<std::shared_ptr<rocksdb::FileSystem>> OpenEncryptedFiles(std::string_view keys,
                                                                const crypto::SecretKey& master,
                                                                const std::string& path) {
  ASSIGN_OR_RETURN(Keyring keyring, Keyring::Open(keys, master, path));
  return MakeEncryptedFileSystem(rocksdb::FileSystem::Default(),
                                 std::make_shared<const Keyring>(std::move(keyring)));
}

Status VerifyTablesBackup(const std::shared_ptr<rocksdb::FileSystem>& files,
                          const std::string& folder, uint32_t id) {
  const std::unique_ptr<rocksdb::Env> env =
      rocksdb::NewCompositeEnv(files ? files : rocksdb::FileSystem::Default());
  rocksdb::BackupEngineReadOnly* opened = nullptr;
  rocksdb::IOStatus status =
      rocksdb::BackupEngineReadOnly::Open(OptionsFor(folder, *env), env.get(), &opened);
  const std::unique_ptr<rocksdb::BackupEngineReadOnly> engine(opened);
  if (status.ok()) {
    status = engine->VerifyBackup(id, /*verify_with_checksum=*/true);
  }
  return status.ok() ? OkStatus() : Status(BackupError("verify the tables in", folder, status));
}

}  // namespace tintype::tables::engine
