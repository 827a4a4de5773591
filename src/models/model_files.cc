#include "models/model_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/check.h"
#include "base/files.h"
#include "base/hex.h"
#include "base/strings.h"
#include "crypto/digest.h"

namespace tintype::models {
namespace {

int64_t ModifiedNs(const struct stat& status) {
  return int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

Result<std::string> HashOf(const Descriptor& file, const std::string& path) {
  crypto::Digest digest(crypto::DigestKind::kSha256);
  std::array<char, 1 << 16> piece{};
  off_t offset = 0;
  while (true) {
    const ssize_t read = ::pread(file.number(), piece.data(), piece.size(), offset);
    if (read < 0) {
      return FileError("read", path);
    }
    if (read == 0) {
      return ToHex(digest.Value());
    }
    digest.Update({piece.data(), static_cast<size_t>(read)});
    offset += read;
  }
}

struct Opened {
  Descriptor file;
  struct stat status = {};
};

Result<Opened> OpenFile(const std::string& path) {
  Opened opened;
  opened.file = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened.file.valid()) {
    return errno == ENOENT ? Error::NotFound(StrCat(path, " is missing."))
                           : FileError("open", path);
  }
  if (::fstat(opened.file.number(), &opened.status) != 0) {
    return FileError("read", path);
  }
  return opened;
}

}  // namespace

const KnownModel* FindKnownModel(std::string_view name) {
  const auto found = std::ranges::find(KnownModels(), name, &KnownModel::name);
  return found == KnownModels().end() ? nullptr : &*found;
}

std::string ModelFiles::PathOf(std::string_view name) const { return StrCat(folder_, "/", name); }

Result<std::shared_ptr<const Descriptor>> ModelFiles::Open(std::string_view name) {
  const KnownModel* const model = FindKnownModel(name);
  CHECK(model != nullptr);
  const std::string path = PathOf(name);
  struct stat now = {};
  // One at a time: several who need a large file do not all hash it.
  const MutexLock lock(mutex_);
  Known& known = known_[std::string(name)];
  if (known.open != nullptr && ::stat(path.c_str(), &now) == 0 && now.st_ino == known.file &&
      ModifiedNs(now) == known.modified_ns && now.st_size == model->bytes) {
    return known.open;
  }
  known = {};
  ASSIGN_OR_RETURN(Opened opened, OpenFile(path));
  ASSIGN_OR_RETURN(const std::string hash, HashOf(opened.file, path));
  if (hash != model->sha256) {
    return Error::Corruption(StrCat(path, " is not the file that this version was made for."));
  }
  known.file = opened.status.st_ino;
  known.modified_ns = ModifiedNs(opened.status);
  known.open = std::make_shared<const Descriptor>(std::move(opened.file));
  return known.open;
}

std::optional<std::string> ModelFiles::WhyMissing(const std::vector<std::string_view>& names) {
  for (const std::string_view name : names) {
    const auto file = Open(name);
    if (!file.ok()) {
      return StrCat("This installation has no model for it: ", file.error().message(),
                    " './dev models' brings it, 'tintype models list' shows what is there.");
    }
  }
  return std::nullopt;
}

Result<ModelState> ModelFiles::Verify(const KnownModel& model) const {
  const std::string path = PathOf(model.name);
  const Result<Opened> opened = OpenFile(path);
  if (!opened.ok()) {
    return opened.error().kind() == ErrorKind::kNotFound ? ModelState::kMissing
                                                         : Result<ModelState>(opened.error());
  }
  ASSIGN_OR_RETURN(const std::string hash, HashOf(opened->file, path));
  return hash == model.sha256 ? ModelState::kThere : ModelState::kDamaged;
}

}  // namespace tintype::models
