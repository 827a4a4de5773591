#include "delivery/resized_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/logging.h"
#include "base/strings.h"
#include "blobs/sealed/memory_file.h"
#include "blobs/sealed/sealed_form.h"
#include "crypto/digest.h"

namespace tintype::delivery {
namespace {

constexpr std::string_view kDrafts = "drafts";
constexpr size_t kOwnerDigits = 32;
constexpr size_t kTextDigits = 64;

std::string OwnerPrefix(std::string_view owner) {
  const std::string hash = crypto::Sha256Hex(owner).substr(0, kOwnerDigits);
  return StrCat(hash.substr(0, 2), "/", hash, "-");
}

std::string FileOf(const PictureName& name) {
  return OwnerPrefix(name.owner) + crypto::Sha256Hex(name.text);
}

/// A file takes whole blocks.
uint64_t OnDisk(uint64_t bytes) {
  constexpr uint64_t kBlock = 4096;
  return (bytes + kBlock - 1) / kBlock * kBlock;
}

int64_t Milliseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

Result<Picture> PictureOf(Descriptor file, const std::string& path) {
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) {
    return FileError("look at", path);
  }
  return Picture{std::make_shared<const Descriptor>(std::move(file)),
                 static_cast<uint64_t>(status.st_size), Milliseconds(status.st_mtim)};
}

struct Found {
  std::string file;
  uint64_t bytes = 0;
  int64_t used_ms = 0;
};

/// The pictures in one folder; what is none of ours is left alone.
void ListPictures(const std::filesystem::path& folder, std::vector<Found>& found) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    struct stat status = {};
    if (name.size() == kOwnerDigits + 1 + kTextDigits && name[kOwnerDigits] == '-' &&
        ::stat(entry.path().c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      found.push_back({StrCat(folder.filename().string(), "/", name),
                       static_cast<uint64_t>(status.st_size), Milliseconds(status.st_atim)});
    }
  }
}

}  // namespace

ResizedCache::Draft::~Draft() {
  if (file_.valid() && !path_.empty()) {
    ::unlink(path_.c_str());
  }
}

Result<std::unique_ptr<ResizedCache>> ResizedCache::Open(const Config& config) {
  std::unique_ptr<ResizedCache> cache(new ResizedCache(config));
  RETURN_IF_ERROR(cache->ReadFolder());
  return cache;
}

Status ResizedCache::ReadFolder() {
  const std::string drafts = PathOf(kDrafts);
  std::error_code ignored;
  std::filesystem::remove_all(drafts, ignored);
  RETURN_IF_ERROR(MakeFolders(drafts));
  std::vector<Found> found;
  for (const auto& entry : std::filesystem::directory_iterator(config_.folder, ignored)) {
    if (entry.is_directory(ignored) && entry.path().filename().string().size() == 2) {
      ListPictures(entry.path(), found);
    }
  }
  // Most file systems note reads once a day, which is enough to tell what nobody wants any more.
  std::ranges::sort(found, {}, &Found::used_ms);
  const MutexLock lock(mutex_);
  for (Found& picture : found) {
    Insert(std::move(picture.file), picture.bytes);
  }
  Evict();
  return OkStatus();
}

std::string ResizedCache::PathOf(std::string_view file) const {
  return StrCat(config_.folder, "/", file);
}

std::optional<Picture> ResizedCache::Find(const PictureName& name) {
  const std::string file = FileOf(name);
  {
    const MutexLock lock(mutex_);
    const auto found = by_file_.find(file);
    if (found == by_file_.end()) {
      return std::nullopt;
    }
    entries_.splice(entries_.begin(), entries_, found->second);
  }
  const std::string path = PathOf(file);
  Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  bool gone = !opened.valid() && errno == ENOENT;
  if (opened.valid()) {
    auto picture = Read(std::move(opened), path);
    if (picture.ok()) {
      return *std::move(picture);
    }
    gone = picture.error().kind() == ErrorKind::kCorruption;
    LogWarning("a resized picture cannot be read and is made again",
               {{"file", path}, {"why", picture.error().message()}});
  }
  if (gone) {
    // It has just made room for another, somebody has emptied the folder, or it is damaged.
    const MutexLock lock(mutex_);
    if (const auto found = by_file_.find(file); found != by_file_.end()) {
      Remove(found->second);
    }
  }
  return std::nullopt;
}

Result<Picture> ResizedCache::Read(Descriptor file, const std::string& path) const {
  ASSIGN_OR_RETURN(Picture picture, PictureOf(std::move(file), path));
  std::string sealed(
      config_.keys == nullptr ? blobs::kSealedMagic.size() : static_cast<size_t>(picture.bytes),
      '\0');
  ASSIGN_OR_RETURN(const size_t count, blobs::ReadAt(picture.file->number(), 0, sealed));
  if (config_.keys == nullptr) {
    if (sealed == blobs::kSealedMagic) {
      return Error::Corruption("It is encrypted, by other settings");
    }
    return picture;
  }
  ASSIGN_OR_RETURN(const std::string bytes,
                   blobs::OpenWhole(*config_.keys, std::string_view(sealed).substr(0, count)));
  ASSIGN_OR_RETURN(blobs::MemoryFile opened, blobs::MemoryFile::Create());
  RETURN_IF_ERROR(opened.Append(bytes));
  return Picture{std::make_shared<const Descriptor>(std::move(opened).Release()), bytes.size(),
                 picture.modified_ms, /*in_memory=*/true};
}

Status ResizedCache::WriteSealed(const Picture& picture, const std::string& path) const {
  std::string bytes(static_cast<size_t>(picture.bytes), '\0');
  ASSIGN_OR_RETURN(const size_t count, blobs::ReadAt(picture.file->number(), 0, bytes));
  constexpr mode_t kOwnerOnly = 0600;
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly));
  if (!file.valid()) {
    return FileError("create", path);
  }
  RETURN_IF_ERROR(WriteAll(
      file, blobs::SealWhole(*config_.keys, std::string_view(bytes).substr(0, count)), path));
  // Those who find it later are told the same time.
  const timespec made = {.tv_sec = picture.modified_ms / 1000,
                         .tv_nsec = picture.modified_ms % 1000 * 1'000'000};
  const std::array<timespec, 2> times = {made, made};
  return ::futimens(file.number(), times.data()) == 0 ? OkStatus()
                                                      : Status(FileError("date", path));
}

Result<ResizedCache::Draft> ResizedCache::Create() {
  uint64_t number = 0;
  {
    const MutexLock lock(mutex_);
    Evict();  // The draft itself takes room.
    number = next_draft_++;
  }
  std::string path = PathOf(StrCat(kDrafts, "/", number));
  if (config_.keys != nullptr) {
    ASSIGN_OR_RETURN(blobs::MemoryFile file, blobs::MemoryFile::Create());
    return Draft(std::move(path), std::move(file).Release());
  }
  constexpr mode_t kOwnerOnly = 0600;
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly));
  if (!file.valid()) {
    return FileError("create", path);
  }
  return Draft(std::move(path), std::move(file));
}

Result<Picture> ResizedCache::Add(const PictureName& name, Draft draft) {
  ASSIGN_OR_RETURN(Picture picture, PictureOf(std::move(draft.file_), draft.path_));
  std::string file = FileOf(name);
  const std::string path = PathOf(file);
  const bool sealed = config_.keys != nullptr;
  picture.in_memory = sealed;
  const uint64_t bytes = sealed ? blobs::SealedBytesOf(picture.bytes) : picture.bytes;
  bool kept = OnDisk(bytes) <= config_.bytes_max && Shortage() == 0;
  if (kept && sealed) {
    kept = WriteSealed(picture, draft.path_).ok();
  }
  if (kept && ::rename(draft.path_.c_str(), path.c_str()) != 0) {
    ::mkdir(ParentFolder(path).c_str(), 0700);
    kept = ::rename(draft.path_.c_str(), path.c_str()) == 0;
  }
  if (!kept) {
    ::unlink(draft.path_.c_str());
    return picture;
  }
  const MutexLock lock(mutex_);
  if (const auto found = by_file_.find(file); found != by_file_.end()) {
    bytes_ -= found->second->bytes;
    entries_.erase(found->second);
    by_file_.erase(found);
  }
  Insert(std::move(file), bytes);
  Evict();
  return picture;
}

void ResizedCache::MakeRoom() {
  const MutexLock lock(mutex_);
  Evict();
}

void ResizedCache::Forget(std::string_view owner) {
  const std::string prefix = OwnerPrefix(owner);
  const MutexLock lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (entry->file.starts_with(prefix)) {
      Remove(entry);
    }
    entry = next;
  }
}

uint64_t ResizedCache::bytes() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

uint64_t ResizedCache::count() const {
  const MutexLock lock(mutex_);
  return entries_.size();
}

void ResizedCache::Insert(std::string file, uint64_t bytes) {
  entries_.push_front({std::move(file), OnDisk(bytes)});
  by_file_.emplace(entries_.front().file, entries_.begin());
  bytes_ += OnDisk(bytes);
}

void ResizedCache::Remove(Entries::iterator entry) {
  ::unlink(PathOf(entry->file).c_str());
  bytes_ -= entry->bytes;
  by_file_.erase(entry->file);
  entries_.erase(entry);
}

void ResizedCache::Evict() {
  const uint64_t given_up = std::min(bytes_, Shortage());
  const uint64_t bytes_max = std::min(config_.bytes_max, bytes_ - given_up);
  while (bytes_ > bytes_max) {
    Remove(std::prev(entries_.end()));
  }
}

uint64_t ResizedCache::Shortage() const {
  std::optional<uint64_t> free;
  struct statvfs disk = {};
  if (config_.free_bytes) {
    free = config_.free_bytes();
  } else if (::statvfs(config_.folder.c_str(), &disk) == 0) {
    free = uint64_t{disk.f_bavail} * disk.f_frsize;
  }
  // A disk that says nothing is not a full one.
  return config_.free_bytes_min - std::min(free.value_or(UINT64_MAX), config_.free_bytes_min);
}

}  // namespace tintype::delivery
