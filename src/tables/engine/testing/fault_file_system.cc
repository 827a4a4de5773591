#include "tables/engine/testing/fault_file_system.h"

#include <filesystem>
#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace tintype::tables::engine {

using rocksdb::FileOptions;
using rocksdb::FSDirectory;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;
using Lock = std::lock_guard<std::recursive_mutex>;

FileKind KindOf(const std::string& name) {
  if (name.ends_with(".log")) {
    return FileKind::kLog;
  }
  if (name.ends_with(".sst")) {
    return FileKind::kTable;
  }
  return name.find("/MANIFEST-") != std::string::npos ? FileKind::kManifest : FileKind::kOther;
}

/// Counts what was written to a file and what of it was synced.
class FaultFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultFile(FaultFileSystem& system, std::string name, std::unique_ptr<FSWritableFile> file)
      : FSWritableFileOwnerWrapper(std::move(file)), system_(system), name_(std::move(name)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* context) override {
    const Lock lock(system_.mutex_);
    IOStatus status = system_.Decide(FileOperation::kAppend, name_);
    if (status.ok()) {
      status = FSWritableFileOwnerWrapper::Append(data, options, context);
    }
    if (status.ok()) {
      system_.files_[name_].written += data.size();
    }
    return status;
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& /*info*/, IODebugContext* context) override {
    return Append(data, options, context);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* context) override {
    const Lock lock(system_.mutex_);
    IOStatus status = system_.Decide(FileOperation::kSync, name_);
    FaultFileSystem::FileState& state = system_.files_[name_];
    if (!status.ok()) {
      state.lost = true;
      return status;
    }
    // The bytes are not really synced: the machine under the test does not lose power.
    status = FSWritableFileOwnerWrapper::Flush(options, context);
    if (status.ok() && !state.lost) {
      state.synced = state.written;
    }
    return status;
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    return Sync(options, context);
  }
  // A hint to start writing; promises nothing.
  IOStatus RangeSync(uint64_t /*offset*/, uint64_t /*bytes*/, const IOOptions& /*options*/,
                     IODebugContext* /*context*/) override {
    return IOStatus::OK();
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options, IODebugContext* context) override {
    const Lock lock(system_.mutex_);
    IOStatus status = FSWritableFileOwnerWrapper::Truncate(size, options, context);
    FaultFileSystem::FileState& state = system_.files_[name_];
    state.written = std::min(state.written, size);
    state.synced = std::min(state.synced, size);
    return status;
  }
  IOStatus Close(const IOOptions& options, IODebugContext* context) override {
    const Lock lock(system_.mutex_);
    return FSWritableFileOwnerWrapper::Close(options, context);
  }
  IOStatus PositionedAppend(const Slice&, uint64_t, const IOOptions&, IODebugContext*) override {
    CHECK(false);  // Only used with direct I/O.
    return IOStatus::NotSupported();
  }

 private:
  FaultFileSystem& system_;
  const std::string name_;
};

class FaultDirectory : public FSDirectory {
 public:
  FaultDirectory(FaultFileSystem& system, std::string name)
      : system_(system), name_(std::move(name)) {}

  IOStatus Fsync(const IOOptions& /*options*/, IODebugContext* /*context*/) override {
    const Lock lock(system_.mutex_);
    IOStatus status = system_.Decide(FileOperation::kSyncDirectory, name_);
    if (status.ok() && name_ == system_.directory_) {
      system_.SyncDirectory();
    }
    return status;
  }
  IOStatus Close(const IOOptions& /*options*/, IODebugContext* /*context*/) override {
    return IOStatus::OK();
  }

 private:
  FaultFileSystem& system_;
  const std::string name_;
};

FaultFileSystem::FaultFileSystem(std::string directory, uint32_t seed)
    : FileSystemWrapper(FileSystem::Default()),
      directory_(std::move(directory)),
      aside_(directory_ + ".removed"),
      random_(seed) {
  std::filesystem::remove_all(aside_);
  std::filesystem::create_directories(aside_);
}

void FaultFileSystem::SetFreeBytes(std::optional<uint64_t> bytes) {
  free_bytes_ = bytes.value_or(0);
  has_free_bytes_ = bytes.has_value();
}

IOStatus FaultFileSystem::GetFreeSpace(const std::string& path, const IOOptions& options,
                                       uint64_t* free, IODebugContext* context) {
  if (has_free_bytes_) {
    *free = free_bytes_;
    return IOStatus::OK();
  }
  return FileSystemWrapper::GetFreeSpace(path, options, free, context);
}

bool FaultFileSystem::Watches(const std::string& name) const {
  return std::filesystem::path(name).parent_path() == directory_;
}

bool FaultFileSystem::IsInFolder(const std::string& name) const {
  return name.starts_with(directory_ + "/") && !Watches(name);
}

IOStatus FaultFileSystem::Decide(FileOperation operation, const std::string& name) {
  return decision_ ? decision_(KindOf(name), operation, name) : IOStatus::OK();
}

IOStatus FaultFileSystem::NewWritableFile(const std::string& name, const FileOptions& options,
                                          std::unique_ptr<FSWritableFile>* result,
                                          IODebugContext* context) {
  const bool watched = Watches(name);
  if (!watched && !IsInFolder(name)) {
    return FileSystemWrapper::NewWritableFile(name, options, result, context);
  }
  const Lock lock(mutex_);
  IOStatus status = Decide(FileOperation::kCreate, name);
  if (!status.ok()) {
    return status;
  }
  const std::optional<std::string> replaced = watched ? SetAside(name) : std::nullopt;
  status = FileSystemWrapper::NewWritableFile(name, options, result, context);
  if (!status.ok()) {
    return status;
  }
  files_[name] = {};
  if (watched) {
    unsynced_changes_.push_back([name, replaced] {
      std::filesystem::remove(name);
      if (replaced) {
        std::filesystem::rename(*replaced, name);
      }
    });
  }
  *result = std::make_unique<FaultFile>(*this, name, std::move(*result));
  return status;
}

// RocksDB reopens a log to cut off a torn tail.
IOStatus FaultFileSystem::ReopenWritableFile(const std::string& name, const FileOptions& options,
                                             std::unique_ptr<FSWritableFile>* result,
                                             IODebugContext* context) {
  const Lock lock(mutex_);
  IOStatus status = FileSystemWrapper::ReopenWritableFile(name, options, result, context);
  if (status.ok() && Watches(name)) {
    const uint64_t size = std::filesystem::file_size(name);
    files_.try_emplace(name, FileState{size, size, false});
    *result = std::make_unique<FaultFile>(*this, name, std::move(*result));
  }
  return status;
}

IOStatus FaultFileSystem::NewDirectory(const std::string& name, const IOOptions& /*options*/,
                                       std::unique_ptr<FSDirectory>* result,
                                       IODebugContext* /*context*/) {
  std::string plain = name;
  while (plain.size() > 1 && plain.ends_with('/')) {
    plain.pop_back();
  }
  *result = std::make_unique<FaultDirectory>(*this, plain);
  return IOStatus::OK();
}

IOStatus FaultFileSystem::DeleteFile(const std::string& name, const IOOptions& options,
                                     IODebugContext* context) {
  if (!Watches(name)) {
    return FileSystemWrapper::DeleteFile(name, options, context);
  }
  const Lock lock(mutex_);
  IOStatus status = Decide(FileOperation::kRemove, name);
  if (!status.ok()) {
    return status;
  }
  const std::optional<std::string> removed = SetAside(name);
  if (!removed) {
    return FileSystemWrapper::DeleteFile(name, options, context);  // It says what is wrong.
  }
  unsynced_changes_.push_back([name, removed] { std::filesystem::rename(*removed, name); });
  return status;
}

IOStatus FaultFileSystem::RenameFile(const std::string& from, const std::string& to,
                                     const IOOptions& options, IODebugContext* context) {
  if (!Watches(from)) {
    return FileSystemWrapper::RenameFile(from, to, options, context);
  }
  const Lock lock(mutex_);
  IOStatus status = Decide(FileOperation::kRename, from);
  if (!status.ok()) {
    return status;
  }
  const std::optional<std::string> replaced = SetAside(to);
  status = FileSystemWrapper::RenameFile(from, to, options, context);
  if (!status.ok()) {
    return status;
  }
  files_[to] = files_[from];
  files_.erase(from);
  unsynced_changes_.push_back([this, from, to, replaced] {
    std::filesystem::rename(to, from);
    files_[from] = files_[to];
    files_.erase(to);
    if (replaced) {
      std::filesystem::rename(*replaced, to);
    }
  });
  return status;
}

std::optional<std::string> FaultFileSystem::SetAside(const std::string& name) {
  if (!std::filesystem::exists(name)) {
    return std::nullopt;
  }
  std::string place = StrCat(aside_, "/", set_aside_count_++);
  std::filesystem::rename(name, place);
  set_aside_.push_back(place);
  return place;
}

void FaultFileSystem::SyncDirectory() {
  unsynced_changes_.clear();
  for (const std::string& place : set_aside_) {
    std::filesystem::remove(place);
  }
  set_aside_.clear();
}

void FaultFileSystem::PowerCut() {
  mutex_.lock();  // For good.
  // Changes of the directory reach the disk in order, some of them unasked.
  const size_t kept = std::uniform_int_distribution<size_t>(0, unsynced_changes_.size())(random_);
  while (unsynced_changes_.size() > kept) {
    unsynced_changes_.back()();
    unsynced_changes_.pop_back();
  }
  for (const auto& [name, state] : files_) {
    if (!std::filesystem::exists(name)) {
      continue;
    }
    uint64_t size = state.synced;
    if (!state.lost && state.written > state.synced && random_() % 2 == 0) {
      size = std::uniform_int_distribution<uint64_t>(state.synced, state.written)(random_);
    }
    std::filesystem::resize_file(name, size);
  }
}

}  // namespace tintype::tables::engine
