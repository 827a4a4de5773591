#include "blobs/spool.h"

#include <cerrno>
#include <utility>

#include "base/check.h"
#include "base/strings.h"
#include "base/ulid.h"
#include "blobs/internal/file_system.h"

namespace tintype::blobs {
namespace {

using SteadyClock = std::chrono::steady_clock;

Error TakenOver() { return Error::InUse("Another request goes on with this upload."); }

Error NoSuchFile(std::string_view id) {
  return Error::NotFound("There are no bytes of this upload.").WithNote(std::string(id));
}

}  // namespace

/// Guarded by the spool's mutex.
struct SpoolClaim::State {
  bool busy = false;
  bool lost = false;
  bool awaited = false;  // By Insist.
  uint64_t usable_bytes = 0;
  SteadyClock::time_point used = SteadyClock::now();
};

SpoolClaim::SpoolClaim(Spool& spool, std::string id, std::shared_ptr<State> state)
    : spool_(spool), id_(std::move(id)), state_(std::move(state)) {}

SpoolClaim::~SpoolClaim() {
  const MutexLock lock(spool_.mutex_);
  if (!state_->lost) {
    spool_.claims_.erase(id_);
    spool_.ended_.SignalAll();
  }
}

Status SpoolClaim::Begin() {
  const MutexLock lock(spool_.mutex_);
  if (state_->lost) {
    return TakenOver();
  }
  state_->busy = true;
  return OkStatus();
}

void SpoolClaim::End() {
  const MutexLock lock(spool_.mutex_);
  state_->busy = false;
  state_->used = SteadyClock::now();
  spool_.ended_.SignalAll();
}

uint64_t SpoolClaim::usable_bytes() const {
  const MutexLock lock(spool_.mutex_);
  return state_->usable_bytes;
}

void SpoolClaim::SetUsableBytes(uint64_t bytes) {
  const MutexLock lock(spool_.mutex_);
  state_->usable_bytes = bytes;
}

SpoolFile::SpoolFile(FileSystem& files, std::unique_ptr<File> file, uint64_t bytes)
    : files_(files), file_(std::move(file)), bytes_(bytes) {}

SpoolFile::~SpoolFile() = default;

Status SpoolFile::Append(std::string_view piece) {
  if (failure_) {
    return *failure_;
  }
  if (const SystemError error = file_->Write(piece); error != 0) {
    failure_ = StorageError(error, "write an upload", "");
    return *failure_;
  }
  bytes_ += piece.size();
  return OkStatus();
}

Status SpoolFile::Sync() {
  if (failure_) {
    return *failure_;
  }
  SystemError error = file_->Sync();
  if (error == 0 && !name_synced_) {
    error = files_.SyncDirectory(".");
    name_synced_ = error == 0;
  }
  if (error != 0) {
    // The system may have dropped the bytes: a second try would lie.
    failure_ = StorageError(error, "sync an upload", "");
    return *failure_;
  }
  return OkStatus();
}

Status SpoolFile::Cut(uint64_t bytes) {
  CHECK(bytes <= bytes_);
  if (const SystemError error = file_->Cut(bytes); error != 0) {
    return StorageError(error, "cut an upload", "");
  }
  bytes_ = bytes;
  return OkStatus();
}

Result<size_t> SpoolFile::Read(uint64_t offset, std::span<char> out) const {
  size_t count = 0;
  if (const SystemError error = file_->Read(offset, out, count); error != 0) {
    return StorageError(error, "read an upload", "");
  }
  return count;
}

Spool::Spool(std::unique_ptr<FileSystem> files, const Config& config)
    : config_(config), files_(std::move(files)) {}

Spool::~Spool() = default;

Result<std::unique_ptr<Spool>> Spool::OpenFolder(const Config& config) {
  ASSIGN_OR_RETURN(std::unique_ptr<FileSystem> files, OpenPosixFileSystem(config.root));
  return OpenOn(std::move(files), config);
}

std::unique_ptr<Spool> Spool::OpenOn(std::unique_ptr<FileSystem> files, const Config& config) {
  return std::unique_ptr<Spool>(new Spool(std::move(files), config));
}

Result<std::unique_ptr<SpoolClaim>> Spool::Take(std::string_view id) {
  if (!IsUlid(id)) {
    return NoSuchFile(id);
  }
  const MutexLock lock(mutex_);
  const auto found = claims_.find(std::string(id));
  if (found != claims_.end() && !IsForsaken(*found->second)) {
    return TakenOver();
  }
  return Give(std::string(id));
}

Result<std::unique_ptr<SpoolClaim>> Spool::Insist(std::string_view id) {
  if (!IsUlid(id)) {
    return NoSuchFile(id);
  }
  const auto until = SteadyClock::now() + config_.insistence;
  const MutexLock lock(mutex_);
  while (true) {
    const auto found = claims_.find(std::string(id));
    if (found == claims_.end() || !found->second->busy) {
      return Give(std::string(id));
    }
    const std::shared_ptr<SpoolClaim::State> state = found->second;
    const auto left = until - SteadyClock::now();
    if (state->awaited || left <= SteadyClock::duration::zero()) {
      return TakenOver();
    }
    state->awaited = true;
    ended_.WaitFor(mutex_, left);
    state->awaited = false;
  }
}

bool Spool::IsForsaken(std::string_view id) {
  const MutexLock lock(mutex_);
  const auto found = claims_.find(std::string(id));
  return found != claims_.end() && IsForsaken(*found->second);
}

bool Spool::IsForsaken(const SpoolClaim::State& state) const {
  return !state.busy && SteadyClock::now() - state.used >= config_.patience;
}

std::unique_ptr<SpoolClaim> Spool::Give(const std::string& id) {
  std::shared_ptr<SpoolClaim::State>& state = claims_[id];
  auto next = std::make_shared<SpoolClaim::State>();
  if (state != nullptr) {
    state->lost = true;
    next->usable_bytes = state->usable_bytes;
  }
  state = std::move(next);
  return std::unique_ptr<SpoolClaim>(new SpoolClaim(*this, id, state));
}

Result<std::unique_ptr<SpoolFile>> Spool::Open(const SpoolClaim& claim, uint64_t offset) {
  const std::string& path = claim.id();
  std::unique_ptr<File> file;
  SystemError error = files_->OpenForAppending(path, file);
  if (IsMissing(error) && offset == 0) {
    error = files_->CreateFile(path, file);
  }
  if (IsMissing(error)) {
    return NoSuchFile(claim.id());
  }
  if (error != 0) {
    return StorageError(error, "open an upload", path);
  }
  FileStatus status;
  if (error = file->Status(status); error != 0) {
    return StorageError(error, "look at a file", path);
  }
  if (status.bytes < offset) {
    return Error::Corruption("An upload has fewer bytes than were acknowledged").WithNote(path);
  }
  std::unique_ptr<SpoolFile> opened(new SpoolFile(*files_, std::move(file), status.bytes));
  if (status.bytes > offset) {
    RETURN_IF_ERROR(opened->Cut(offset));
  }
  return opened;
}

Status Spool::Remove(const SpoolClaim& claim) {
  const SystemError error = files_->Unlink(claim.id());
  if (error != 0 && !IsMissing(error)) {
    return StorageError(error, "remove an upload", claim.id());
  }
  // Not synced: one that comes back after a power cut has no record, and is removed at the start.
  return OkStatus();
}

Result<std::optional<uint64_t>> Spool::Bytes(std::string_view id) {
  FileStatus status;
  const SystemError error = IsUlid(id) ? files_->Status(std::string(id), status) : ENOENT;
  if (error != 0 && !IsMissing(error)) {
    return StorageError(error, "look at a file", id);
  }
  return error == 0 && status.is_file ? std::optional(status.bytes) : std::nullopt;
}

Result<std::vector<std::string>> Spool::List() {
  std::vector<std::string> ids;
  const SystemError error =
      files_->ReadDirectory(".", [&](std::string_view name, bool is_directory) {
        if (!is_directory && IsUlid(name)) {
          ids.emplace_back(name);
        }
      });
  if (error != 0) {
    return StorageError(error, "read a folder", ".");
  }
  return ids;
}

std::string Spool::PathOf(std::string_view id) const { return StrCat(config_.root, "/", id); }

}  // namespace tintype::blobs
