#include "tables/engine/recovery/table_backup.h"

#include <rocksdb/sst_file_writer.h>

#include <algorithm>

#include "base/logging.h"
#include "base/strings.h"
#include "tables/engine/commit/commit_group.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/schema/backup_change.h"
#include "tables/language/shutting_down.h"

namespace tintype::tables::engine {
namespace {

constexpr uint64_t kFileBytes = uint64_t{64} << 20;
constexpr uint64_t kCheckBytes = uint64_t{1} << 20;
constexpr std::string_view kUnfinished = ".new";
constexpr std::string_view kManifest = "MANIFEST.sst";
constexpr std::string_view kManifestKey = "manifest";

std::string DirectoryOf(const Core& core, const std::string& id) {
  return StrCat(core.config.backup_directory, "/", id);
}

rocksdb::Options FileOptions(Core& core) {
  rocksdb::Options options;
  options.env = &core.storage->env();
  options.compression = rocksdb::kLZ4Compression;
  return options;
}

Error CannotWrite(const rocksdb::Status& status) {
  return Error::Io(StrCat("The backup cannot be written: ", status.ToString()));
}

// What RocksDB says names paths, which are not for clients.
Error Damaged(std::string_view file, std::string detail) {
  LogError("a backup is damaged", {{"file", file}, {"reason", detail}});
  return Error::Corruption(
             StrCat("The backup is damaged: its file ", file, " cannot be read whole"))
      .WithNote(std::move(detail));
}

// Writes rows to one file after another.
class FileWriter {
 public:
  FileWriter(rocksdb::Options options, std::string directory)
      : options_(std::move(options)), directory_(std::move(directory)) {}

  Status Add(const rocksdb::Slice& key, const rocksdb::Slice& value) {
    if (writer_ && writer_->FileSize() >= kFileBytes) {
      RETURN_IF_ERROR(FinishFile());
    }
    rocksdb::Status status;
    if (!writer_) {
      manifest_.files.push_back({StrCat(manifest_.files.size() + 1, ".sst"), 0});
      writer_ = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(), options_);
      status = writer_->Open(StrCat(directory_, "/", manifest_.files.back().name));
    }
    if (status.ok()) {
      status = writer_->Put(key, value);
    }
    ++manifest_.files.back().rows;
    return status.ok() ? OkStatus() : Status(CannotWrite(status));
  }

  // Also syncs it.
  Status FinishFile() {
    if (!writer_) {
      return OkStatus();
    }
    const rocksdb::Status status = writer_->Finish();
    writer_.reset();
    return status.ok() ? OkStatus() : Status(CannotWrite(status));
  }

  Status WriteManifest(const BackupInfo& backup) {
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options_);
    rocksdb::Status status = writer.Open(StrCat(directory_, "/", kManifest));
    if (status.ok()) {
      status = writer.Put(ToSlice(kManifestKey), manifest_.ToStored(backup.ToStored()).payload());
    }
    if (status.ok()) {
      status = writer.Finish();
    }
    return status.ok() ? OkStatus() : Status(CannotWrite(status));
  }

 private:
  const rocksdb::Options options_;
  const std::string directory_;
  TableBackupManifest manifest_;
  std::unique_ptr<rocksdb::SstFileWriter> writer_;
};

void RemoveDirectory(rocksdb::Env& env, const std::string& directory) {
  std::vector<std::string> names;
  env.GetChildren(directory, &names).PermitUncheckedError();
  for (const std::string& name : names) {
    env.DeleteFile(StrCat(directory, "/", name)).PermitUncheckedError();
  }
  env.DeleteDir(directory).PermitUncheckedError();
}

Status SyncDirectory(rocksdb::Env& env, const std::string& directory) {
  std::unique_ptr<rocksdb::Directory> opened;
  rocksdb::Status status = env.NewDirectory(directory, &opened);
  if (status.ok()) {
    status = opened->Fsync();
  }
  return status.ok() ? OkStatus() : Status(CannotWrite(status));
}

Status WriteRows(Core& core, const BackupInfo& backup, const rocksdb::Snapshot* snapshot,
                 FileWriter& writer) {
  std::string lower;
  AppendKeyPrefix(lower, backup.table.id, kTableItself);
  const std::string upper = PrefixSuccessor(lower);
  const rocksdb::Slice upper_bound = upper;
  rocksdb::ReadOptions read;
  read.snapshot = snapshot;
  read.iterate_upper_bound = &upper_bound;
  read.fill_cache = false;
  read.readahead_size = size_t{2} << 20;
  const std::unique_ptr<rocksdb::Iterator> it(
      core.storage->db().NewIterator(read, core.storage->data()));
  uint64_t unchecked_bytes = 0;
  for (it->Seek(lower); it->Valid(); it->Next()) {
    if (core.long_work.stopping()) {
      return ShuttingDown();
    }
    // The tables need the disk more than a backup does.
    unchecked_bytes += it->value().size();
    if (unchecked_bytes >= kCheckBytes) {
      unchecked_bytes = 0;
      if (core.disk_space.Check() != Room::kEnough) {
        return Error::Io("There is not enough room on the disk for the backup");
      }
    }
    rocksdb::Slice key = it->key();
    key.remove_prefix(kKeyPrefixBytes);
    RETURN_IF_ERROR(writer.Add(key, it->value()));
  }
  if (!it->status().ok()) {
    return FromRocksDb(it->status());
  }
  return writer.FinishFile();
}

void FinishBackup(Core& core, const BackupInfo& backup, const Status& written) {
  if (!written.ok() && written.error().kind() == ErrorKind::kUnavailable) {
    return;  // The next start makes it anew.
  }
  if (!written.ok()) {
    LogError("a backup could not be made and is given up",
             {{"backup", backup.name}, {"reason", written.error().message()}});
    // At once: a full disk could be what keeps the rest from being written.
    RemoveBackupFiles(core, backup.id);
  }
  SubmitOwnWork<EmptyResponse>(
      core, Space::kFrees,
      [backup, ok = written.ok()](CommitGroup& group) -> Result<EmptyResponse> {
        if (ok) {
          BackupInfo available = backup;
          available.status = BackupStatus::kAvailable;
          StageBackupInfo(group, std::move(available));
        } else {
          StageBackupRemoval(group, backup);
        }
        return EmptyResponse{};
      },
      [](const Result<EmptyResponse>&) {});
}

void RestartBackup(Core& core, const BackupInfo& interrupted) {
  SubmitOwnWork<EmptyResponse>(
      core, Space::kFrees,
      [&core, interrupted](CommitGroup& group) -> Result<EmptyResponse> {
        BackupInfo backup = interrupted;
        backup.created_ms = group.now_ms();
        backup.expires_ms += backup.created_ms - interrupted.created_ms;
        backup.totals = core.statistics.Get(backup.table.id, kTableItself);
        StageBackupInfo(group, backup);
        group.OnWritten([&core, backup] {
          BeginBackup(core, backup, std::make_shared<ScopedSnapshot>(core.storage->db()));
        });
        return EmptyResponse{};
      },
      [](const Result<EmptyResponse>&) {});
}

}  // namespace

Status WriteBackupFiles(Core& core, const BackupInfo& backup, const rocksdb::Snapshot* snapshot) {
  rocksdb::Env& env = core.storage->env();
  const std::string directory = DirectoryOf(core, backup.id);
  const std::string unfinished = StrCat(directory, kUnfinished);
  RemoveDirectory(env, unfinished);
  RemoveDirectory(env, directory);
  env.CreateDirIfMissing(core.config.backup_directory).PermitUncheckedError();
  if (const rocksdb::Status created = env.CreateDirIfMissing(unfinished); !created.ok()) {
    return CannotWrite(created);
  }
  FileWriter writer(FileOptions(core), unfinished);
  RETURN_IF_ERROR(WriteRows(core, backup, snapshot, writer));
  RETURN_IF_ERROR(writer.WriteManifest(backup));
  RETURN_IF_ERROR(SyncDirectory(env, unfinished));
  if (const rocksdb::Status renamed = env.RenameFile(unfinished, directory); !renamed.ok()) {
    return CannotWrite(renamed);
  }
  return SyncDirectory(env, core.config.backup_directory);
}

Result<BackupFiles> BackupFiles::Open(Core& core, const BackupInfo& backup) {
  BackupFiles files;
  files.options_ = FileOptions(core);
  files.directory_ = DirectoryOf(core, backup.id);
  rocksdb::SstFileReader reader(files.options_);
  rocksdb::Status status = reader.Open(StrCat(files.directory_, "/", kManifest));
  if (status.ok()) {
    status = reader.VerifyChecksum();
  }
  if (!status.ok()) {
    return Damaged(kManifest, status.ToString());
  }
  const std::unique_ptr<rocksdb::Iterator> it(reader.NewIterator(rocksdb::ReadOptions()));
  it->SeekToFirst();
  if (!it->Valid() || ToView(it->key()) != kManifestKey ||
      !CheckEncodedItem(ToView(it->value())).ok()) {
    return Damaged(kManifest, "it is not a manifest");
  }
  auto manifest = TableBackupManifest::FromStored(MapView(ToView(it->value())));
  if (!manifest.ok()) {
    return Damaged(kManifest, manifest.error().message());
  }
  files.files_ = std::move(manifest->files);
  return files;
}

Result<std::unique_ptr<rocksdb::SstFileReader>> BackupFiles::Read(size_t file) const {
  auto reader = std::make_unique<rocksdb::SstFileReader>(options_);
  const std::string& name = files_[file].name;
  if (const rocksdb::Status status = reader->Open(StrCat(directory_, "/", name)); !status.ok()) {
    return Damaged(name, status.ToString());
  }
  return reader;
}

Status VerifyBackupFiles(Core& core, const BackupInfo& backup) {
  ASSIGN_OR_RETURN(const BackupFiles files, BackupFiles::Open(core, backup));
  for (size_t i = 0; i < files.size(); ++i) {
    if (core.long_work.stopping()) {
      return ShuttingDown();
    }
    const auto& [name, rows] = files.files_[i];
    ASSIGN_OR_RETURN(const auto reader, files.Read(i));
    if (const rocksdb::Status status = reader->VerifyChecksum(); !status.ok()) {
      return Damaged(name, status.ToString());
    }
    if (reader->GetTableProperties()->num_entries != static_cast<uint64_t>(rows)) {
      return Damaged(name, "it has not as many rows as it should");
    }
  }
  return OkStatus();
}

void RemoveBackupFiles(Core& core, const std::string& id) {
  rocksdb::Env& env = core.storage->env();
  const std::string directory = DirectoryOf(core, id);
  const std::string unfinished = StrCat(directory, kUnfinished);
  RemoveDirectory(env, unfinished);
  // Under the name of what is not finished, so that an interrupted removal is gone on with.
  env.RenameFile(directory, unfinished).PermitUncheckedError();
  RemoveDirectory(env, unfinished);
}

void BeginBackup(Core& core, const BackupInfo& backup, std::shared_ptr<ScopedSnapshot> snapshot) {
  core.long_work.Add([&core, backup, snapshot = std::move(snapshot)] {
    if (core.long_work.stopping()) {
      return;
    }
    FinishBackup(core, backup, WriteBackupFiles(core, backup, snapshot->get()));
  });
}

void ResumeBackups(Core& core) {
  for (const BackupInfo& backup : core.backups.All()) {
    if (backup.status == BackupStatus::kCreating) {
      RestartBackup(core, backup);
    }
  }
  rocksdb::Env& env = core.storage->env();
  std::vector<std::string> names;
  env.GetChildren(core.config.backup_directory, &names).PermitUncheckedError();
  for (const std::string& name : names) {
    const std::string id = name.substr(0, name.size() - std::min(name.size(), kUnfinished.size()));
    if (name.ends_with(kUnfinished)) {
      if (!core.backups.Find(id)) {
        RemoveDirectory(env, StrCat(core.config.backup_directory, "/", name));
      }
    } else if (!name.starts_with('.') && !core.backups.Find(name)) {
      // Perhaps all that is left of tables that were lost: not ours to delete.
      LogWarning("a backup of a table is not known to these tables and stays", {{"folder", name}});
    }
  }
}

void RemoveExpiredBackups(Core& core, int64_t now_ms) {
  for (const BackupInfo& backup : core.backups.All()) {
    if (backup.expires_ms > now_ms || backup.status != BackupStatus::kAvailable ||
        IsBeingRestored(core, backup.id)) {
      continue;
    }
    LogInfo("a backup has been kept long enough and is deleted",
            {{"backup", backup.name}, {"table", backup.table.definition.name}});
    SubmitOwnWork<EmptyResponse>(
        core, Space::kFrees,
        [&core, backup](CommitGroup& group) -> Result<EmptyResponse> {
          // It may have been deleted since, or be needed again.
          if (core.backups.Find(backup.id) && !IsBeingRestored(core, backup.id)) {
            StageBackupRemoval(group, backup);
            group.OnWritten([&core, id = backup.id] {
              core.long_work.Add([&core, id] { RemoveBackupFiles(core, id); });
            });
          }
          return EmptyResponse{};
        },
        [](const Result<EmptyResponse>&) {});
  }
}

}  // namespace tintype::tables::engine
