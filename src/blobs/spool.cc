#include "blobs/spool.h"

#include <cerrno>
#include <utility>

#include "base/check.h"
#include "base/strings.h"
#include "base/ulid.h"
#include "blobs/internal/file_system.h"
#include "blobs/internal/plain_spool_file.h"
#include "blobs/sealed/sealed_spool_file.h"

namespace tintype::blobs {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::string_view kSealedEnding = ".sealed";

constexpr size_t kLandmarksMax = 1'000;

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

Spool::Spool(std::unique_ptr<FileSystem> files, const Config& config)
    : config_(config), files_(std::move(files)) {
  CHECK(config_.new_files == NewBlobs::kPlain || config_.keys != nullptr);
}

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

std::shared_ptr<SealedSpoolFile::Landmark> Spool::LandmarkOf(const std::string& id) {
  const MutexLock lock(mutex_);
  if (const auto found = landmarks_.find(id); found != landmarks_.end()) {
    return found->second;
  }
  if (landmarks_.size() >= kLandmarksMax) {
    // Ids begin with the time: the oldest.
    landmarks_.erase(landmarks_.begin());
  }
  return landmarks_[id] = std::make_shared<SealedSpoolFile::Landmark>();
}

Result<std::optional<std::string>> Spool::FindFile(std::string_view id) {
  if (!IsUlid(id)) {
    return std::optional<std::string>();
  }
  for (std::string name : {std::string(id), StrCat(id, kSealedEnding)}) {
    FileStatus status;
    const SystemError error = files_->Status(name, status);
    if (error != 0 && !IsMissing(error)) {
      return StorageError(error, "look at a file", name);
    }
    if (error == 0 && status.is_file) {
      return std::optional(std::move(name));
    }
  }
  return std::optional<std::string>();
}

Result<std::unique_ptr<SpoolFile>> Spool::Open(const SpoolClaim& claim, uint64_t offset) {
  ASSIGN_OR_RETURN(const auto found, FindFile(claim.id()));
  if (!found && offset > 0) {
    return NoSuchFile(claim.id());
  }
  const bool seals_new = config_.new_files == NewBlobs::kSealed;
  const std::string name = found.value_or(StrCat(claim.id(), seals_new ? kSealedEnding : ""));
  std::unique_ptr<File> file;
  const SystemError error =
      found ? files_->OpenForAppending(name, file) : files_->CreateFile(name, file);
  if (error != 0) {
    return StorageError(error, "open an upload", name);
  }
  if (!name.ends_with(kSealedEnding)) {
    return PlainSpoolFile::Open(*files_, std::move(file), StrCat(config_.root, "/", name), offset);
  }
  if (config_.keys == nullptr) {
    return Error::Corruption("An upload is encrypted, and the keys for it are not here")
        .WithNote(name);
  }
  auto opened = SealedSpoolFile::Open(*files_, std::move(file), *config_.keys, offset,
                                      LandmarkOf(claim.id()));
  return opened.ok() ? std::move(opened) : std::move(opened).error().WithNote(name);
}

Status Spool::Remove(const SpoolClaim& claim) {
  ASSIGN_OR_RETURN(const auto name, FindFile(claim.id()));
  const SystemError error = name ? files_->Unlink(*name) : 0;
  if (error != 0 && !IsMissing(error)) {
    return StorageError(error, "remove an upload", *name);
  }
  const MutexLock lock(mutex_);
  landmarks_.erase(claim.id());
  // Not synced: one that comes back after a power cut has no record, and is removed at the start.
  return OkStatus();
}

Result<std::optional<uint64_t>> Spool::Bytes(std::string_view id) {
  ASSIGN_OR_RETURN(const auto name, FindFile(id));
  std::unique_ptr<File> file;
  FileStatus status;
  SystemError error = name ? files_->OpenFile(*name, file) : ENOENT;
  error = error == 0 ? file->Status(status) : error;
  if (IsMissing(error)) {
    return std::optional<uint64_t>();
  }
  if (error != 0) {
    return StorageError(error, "look at a file", *name);
  }
  if (!name->ends_with(kSealedEnding)) {
    return std::optional(status.bytes);
  }
  ASSIGN_OR_RETURN(const uint64_t bytes,
                   SealedSpoolFile::BytesIn(*file, *LandmarkOf(std::string(id))));
  return std::optional(bytes);
}

Result<std::vector<std::string>> Spool::List() {
  std::vector<std::string> ids;
  const SystemError error =
      files_->ReadDirectory(".", [&](std::string_view name, bool is_directory) {
        if (name.ends_with(kSealedEnding)) {
          name.remove_suffix(kSealedEnding.size());
        }
        if (!is_directory && IsUlid(name)) {
          ids.emplace_back(name);
        }
      });
  if (error != 0) {
    return StorageError(error, "read a folder", ".");
  }
  return ids;
}

}  // namespace tintype::blobs
