#include "tables/transfer/internal/files.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/check.h"
#include "base/strings.h"

namespace tintype::tables::transfer {
namespace {

namespace fs = std::filesystem;

Status SyncFolder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = folder >= 0 && ::fsync(folder) == 0;
  const Error error = FileError("sync", path);
  if (folder >= 0) {
    ::close(folder);
  }
  return synced ? OkStatus() : Status(error);
}

std::string ParentOf(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

Error FileError(std::string_view action, const std::string& path) {
  const int number = errno;
  return {number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
          StrCat("Cannot ", action, " ", path, ": ", std::strerror(number))};
}

Status MakeFolders(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    errno = ENOTDIR;
    return S_ISDIR(status.st_mode) ? OkStatus() : Status(FileError("use", path));
  }
  const std::string parent = ParentOf(path);
  if (parent != path) {
    RETURN_IF_ERROR(MakeFolders(parent));
  }
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return FileError("create", path);
  }
  return SyncFolder(parent);
}

std::string FileDigest::Hex() const {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : md5) {
    const auto value = static_cast<unsigned char>(byte);
    text.push_back(kDigits[value >> 4]);
    text.push_back(kDigits[value & 15]);
  }
  return text;
}

std::string FileDigest::Base64() const {
  std::string text((md5.size() + 2) / 3 * 4 + 1, '\0');  // With room for a final zero.
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(md5.data()),
                                   static_cast<int>(md5.size()));
  text.resize(static_cast<size_t>(size));
  return text;
}

struct NewFile::Hash {
  Hash() : context(EVP_MD_CTX_new()) {
    CHECK(context != nullptr && EVP_DigestInit_ex(context, EVP_md5(), nullptr) == 1);
  }
  ~Hash() { EVP_MD_CTX_free(context); }
  Hash(const Hash&) = delete;
  Hash& operator=(const Hash&) = delete;

  EVP_MD_CTX* context;
};

NewFile::NewFile(std::string path, int descriptor)
    : path_(std::move(path)),
      temporary_(path_ + ".tmp"),
      descriptor_(descriptor),
      hash_(std::make_unique<Hash>()) {}

Result<std::unique_ptr<NewFile>> NewFile::Create(std::string path) {
  const std::string temporary = path + ".tmp";
  const int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) {
    return FileError("create", temporary);
  }
  return std::unique_ptr<NewFile>(new NewFile(std::move(path), descriptor));
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
  }
}

Status NewFile::Write(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(hash_->context, bytes.data(), bytes.size()) == 1);
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      return FileError("write", temporary_);
    }
    bytes.remove_prefix(written > 0 ? static_cast<size_t>(written) : 0);
  }
  return OkStatus();
}

Result<FileDigest> NewFile::Finish() {
  if (::fsync(descriptor_) != 0) {
    return FileError("sync", temporary_);
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return FileError("rename", temporary_);
  }
  ::close(descriptor_);
  descriptor_ = -1;
  RETURN_IF_ERROR(SyncFolder(ParentOf(path_)));
  FileDigest digest{bytes_, std::string(16, '\0')};
  CHECK(EVP_DigestFinal_ex(hash_->context, reinterpret_cast<unsigned char*>(digest.md5.data()),
                           nullptr) == 1);
  return digest;
}

Result<FileDigest> WriteWholeFile(const std::string& path, std::string_view content) {
  ASSIGN_OR_RETURN(const auto file, NewFile::Create(path));
  RETURN_IF_ERROR(file->Write(content));
  return file->Finish();
}

Result<std::string> ReadWholeFile(const std::string& path, size_t bytes_max) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return FileError("open", path);
  }
  std::string content;
  char buffer[4096];
  do {
    file.read(buffer, sizeof buffer);
    content.append(buffer, static_cast<size_t>(file.gcount()));
    if (content.size() > bytes_max) {
      return Error::Io(StrCat("Cannot read ", path, ": it is larger than ", bytes_max, " bytes"));
    }
  } while (file);
  if (file.bad()) {
    return FileError("read", path);
  }
  return content;
}

}  // namespace tintype::tables::transfer
