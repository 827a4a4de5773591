#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace tintype::tables::engine {

/// What a file of RocksDB's is, by its name.
enum class FileKind { kLog, kTable, kManifest, kOther };

/// What is done to a file or to the directory.
enum class FileOperation { kCreate, kAppend, kSync, kRename, kRemove, kSyncDirectory };

/// A file system for tests that misbehaves as disks do. The files are real ones; of each it is
/// known how much was synced, and of the directory which changes were. Thread-safe.
///
/// A power cut leaves, of what was not synced, what the seed decides: none, all, or the first part
/// of a file's unsynced bytes; a file that was created, renamed or removed without a sync of the
/// directory may be there or not. File systems that keep order within a file (ext4 and XFS as they
/// are mounted by default) leave nothing else. A page of zeros or garbage in between is damage,
/// which opening refuses.
///
/// Of files in folders of the directory, as those of backups are, a power cut leaves less of the
/// content too; that they were created, renamed or removed is never lost.
///
/// A sync that was made to fail loses what it should have written, as on Linux: a later sync of the
/// same file succeeds, but the bytes are gone at the power cut.
class FaultFileSystem : public rocksdb::FileSystemWrapper {
 public:
  using IOStatus = rocksdb::IOStatus;
  using Decision = std::function<IOStatus(FileKind, FileOperation, const std::string& name)>;

  /// `directory` is the one whose files are watched. Its files as they are now count as synced.
  FaultFileSystem(std::string directory, uint32_t seed);

  /// Called before each operation, one at a time; any result other than OK is what the operation
  /// returns instead of being done. Set before the file system is used.
  void Intercept(Decision decision) { decision_ = std::move(decision); }

  /// What GetFreeSpace says from now on; nothing: what the system says.
  void SetFreeBytes(std::optional<uint64_t> bytes);

  /// Leaves the directory as a power cut would. Nothing is written afterwards: every thread that
  /// tries is held. The process should end.
  void PowerCut();

  const char* Name() const override { return "TintypeFaults"; }
  IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           rocksdb::IODebugContext* context) override;
  IOStatus ReopenWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* result,
                              rocksdb::IODebugContext* context) override;
  IOStatus NewDirectory(const std::string& name, const rocksdb::IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result,
                        rocksdb::IODebugContext* context) override;
  IOStatus DeleteFile(const std::string& name, const rocksdb::IOOptions& options,
                      rocksdb::IODebugContext* context) override;
  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override;
  IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options, uint64_t* free,
                        rocksdb::IODebugContext* context) override;

 private:
  friend class FaultFile;
  friend class FaultDirectory;

  struct FileState {
    uint64_t written = 0;
    uint64_t synced = 0;
    bool lost = false;  // A sync failed: nothing after `synced` is ever on disk.
  };
  // How to take back a change of the directory that was not synced.
  using Undo = std::function<void()>;

  bool Watches(const std::string& name) const;
  bool IsInFolder(const std::string& name) const;
  IOStatus Decide(FileOperation operation, const std::string& name);
  // Moves a file aside, so that it can come back. Returns where it is; nothing if there was none.
  std::optional<std::string> SetAside(const std::string& name);
  void SyncDirectory();

  const std::string directory_;
  const std::string aside_;
  Decision decision_;
  std::atomic<bool> has_free_bytes_ = false;
  std::atomic<uint64_t> free_bytes_ = 0;

  // Held by every operation on files; a power cut takes it and keeps it.
  std::recursive_mutex mutex_;
  std::map<std::string, FileState> files_;
  std::vector<Undo> unsynced_changes_;
  std::vector<std::string> set_aside_;
  uint64_t set_aside_count_ = 0;
  std::mt19937 random_;
};

FileKind KindOf(const std::string& name);

}  // namespace tintype::tables::engine
