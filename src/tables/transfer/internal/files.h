#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

/// Files as transfers write them: under a temporary name, synced, then renamed, so that a file that
/// has its name is whole. Everything is created for its owner alone: it holds what the tables hold.
namespace tintype::tables::transfer {

/// An error that names the file and says what the system said (errno).
Error FileError(std::string_view action, const std::string& path);

/// Creates a folder and those above it, and returns once their names are on disk.
Status MakeFolders(const std::string& path);

/// What became of a file: its size and its MD5, the checksum of DynamoDB's manifests.
struct FileDigest {
  uint64_t bytes = 0;
  std::string md5;  // 16 bytes.

  std::string Hex() const;
  std::string Base64() const;
};

/// A file that is being written. One that is not finished leaves nothing behind. Not thread-safe.
class NewFile {
 public:
  /// In a folder that exists.
  static Result<std::unique_ptr<NewFile>> Create(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  Status Write(std::string_view bytes);
  /// Returns once the file is on disk under its name.
  Result<FileDigest> Finish();

 private:
  struct Hash;
  NewFile(std::string path, int descriptor);

  const std::string path_;
  const std::string temporary_;
  int descriptor_;
  uint64_t bytes_ = 0;
  std::unique_ptr<Hash> hash_;
};

Result<FileDigest> WriteWholeFile(const std::string& path, std::string_view content);

/// Errors: kNotFound; kIo, also for a file larger than `bytes_max`.
Result<std::string> ReadWholeFile(const std::string& path, size_t bytes_max);

}  // namespace tintype::tables::transfer
