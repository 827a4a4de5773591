#include "tables/engine/encryption/encrypted_file_system.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tables/engine/encryption/file_cipher.h"

namespace tintype::tables::engine {
namespace {

using rocksdb::DataVerificationInfo;
using rocksdb::FileOptions;
using rocksdb::FSRandomAccessFile;
using rocksdb::FSRandomRWFile;
using rocksdb::FSSequentialFile;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

constexpr size_t kPrefixBytes = FileCipher::kPrefixBytes;

// Bytes that are encrypted at once; RocksDB collects no more than this before it appends.
constexpr size_t kAppendBytes = size_t{1} << 20;

/// Of a file as it is on disk, the size of its content.
uint64_t ContentSize(uint64_t stored) { return stored < kPrefixBytes ? 0 : stored - kPrefixBytes; }

IOStatus NotSupported(const char* what) {
  return IOStatus::NotSupported("In an encrypted directory", what);
}

/// The cipher of an existing file. Stays empty for a file that is shorter than its prefix.
/// `read(n, &result, scratch)` reads the file's first n bytes.
template <typename Read>
IOStatus ReadPrefix(const Keyring& keyring, const std::string& name, const Read& read,
                    std::optional<FileCipher>& cipher) {
  char scratch[kPrefixBytes];
  Slice prefix;
  IOStatus status = read(kPrefixBytes, &prefix, scratch);
  if (!status.ok() || prefix.size() < kPrefixBytes) {
    return status;
  }
  auto found = FileCipher::FromPrefix(keyring, {prefix.data(), prefix.size()});
  if (!found.ok()) {
    return IOStatus::Corruption(name, found.error().message());
  }
  cipher = *std::move(found);
  return status;
}

class SequentialFile : public FSSequentialFile {
 public:
  /// `file` stands behind the prefix, if there is a cipher.
  SequentialFile(std::unique_ptr<FSSequentialFile> file, std::optional<FileCipher> cipher)
      : file_(std::move(file)), cipher_(std::move(cipher)) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* context) override {
    if (!cipher_) {
      *result = Slice();
      return IOStatus::OK();
    }
    IOStatus status = file_->Read(n, options, result, scratch, context);
    if (status.ok()) {
      cipher_->Apply(position_, result->data(), scratch, result->size());
      position_ += result->size();
      *result = Slice(scratch, result->size());
    }
    return status;
  }
  IOStatus Skip(uint64_t n) override {
    position_ += n;
    return file_->Skip(n);
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return file_->InvalidateCache(kPrefixBytes + offset, length);
  }

 private:
  const std::unique_ptr<FSSequentialFile> file_;
  const std::optional<FileCipher> cipher_;
  uint64_t position_ = 0;  // In the content.
};

/// Reading several ranges, and reading ahead of need, are made of Read by the base class.
class RandomAccessFile : public FSRandomAccessFile {
 public:
  RandomAccessFile(std::unique_ptr<FSRandomAccessFile> file, std::optional<FileCipher> cipher)
      : file_(std::move(file)), cipher_(std::move(cipher)) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* context) const override {
    if (!cipher_) {
      *result = Slice();
      return IOStatus::OK();
    }
    IOStatus status = file_->Read(kPrefixBytes + offset, n, options, result, scratch, context);
    if (status.ok()) {
      cipher_->Apply(offset, result->data(), scratch, result->size());
      *result = Slice(scratch, result->size());
    }
    return status;
  }
  IOStatus Prefetch(uint64_t offset, size_t n, const IOOptions& options,
                    IODebugContext* context) override {
    return file_->Prefetch(kPrefixBytes + offset, n, options, context);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return file_->GetUniqueId(id, max_size);
  }
  void Hint(AccessPattern pattern) override { file_->Hint(pattern); }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return file_->InvalidateCache(kPrefixBytes + offset, length);
  }

 private:
  const std::unique_ptr<FSRandomAccessFile> file_;
  const std::optional<FileCipher> cipher_;
};

class WritableFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  /// `size` bytes of content are in the file already.
  WritableFile(std::unique_ptr<FSWritableFile> file, FileCipher cipher, uint64_t size)
      : FSWritableFileOwnerWrapper(std::move(file)), cipher_(std::move(cipher)), size_(size) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* context) override {
    // How much of it was written is not known, hence not where the next bytes would stand.
    if (failed_) {
      return IOStatus::IOError("An earlier write to this file failed");
    }
    for (size_t at = 0; at < data.size(); at += kAppendBytes) {
      const size_t part = std::min(data.size() - at, kAppendBytes);
      buffer_.resize(std::max(buffer_.size(), part));
      cipher_.Apply(size_, data.data() + at, buffer_.data(), part);
      IOStatus status =
          FSWritableFileOwnerWrapper::Append(Slice(buffer_.data(), part), options, context);
      if (!status.ok()) {
        failed_ = true;
        return status;
      }
      size_ += part;
    }
    return IOStatus::OK();
  }
  // The checksum that comes along is that of the plain bytes.
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& /*info*/,
                  IODebugContext* context) override {
    return Append(data, options, context);
  }
  IOStatus PositionedAppend(const Slice& /*data*/, uint64_t /*offset*/,
                            const IOOptions& /*options*/, IODebugContext* /*context*/) override {
    return NotSupported("files are only appended to");
  }
  IOStatus PositionedAppend(const Slice& /*data*/, uint64_t /*offset*/,
                            const IOOptions& /*options*/, const DataVerificationInfo& /*info*/,
                            IODebugContext* /*context*/) override {
    return NotSupported("files are only appended to");
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options, IODebugContext* context) override {
    IOStatus status = FSWritableFileOwnerWrapper::Truncate(kPrefixBytes + size, options, context);
    if (status.ok()) {
      size_ = size;
    }
    return status;
  }
  uint64_t GetFileSize(const IOOptions& /*options*/, IODebugContext* /*context*/) override {
    return size_;
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return FSWritableFileOwnerWrapper::InvalidateCache(kPrefixBytes + offset, length);
  }
  IOStatus RangeSync(uint64_t offset, uint64_t bytes, const IOOptions& options,
                     IODebugContext* context) override {
    return FSWritableFileOwnerWrapper::RangeSync(kPrefixBytes + offset, bytes, options, context);
  }
  void PrepareWrite(size_t offset, size_t length, const IOOptions& options,
                    IODebugContext* context) override {
    FSWritableFileOwnerWrapper::PrepareWrite(kPrefixBytes + offset, length, options, context);
  }
  IOStatus Allocate(uint64_t offset, uint64_t length, const IOOptions& options,
                    IODebugContext* context) override {
    return FSWritableFileOwnerWrapper::Allocate(kPrefixBytes + offset, length, options, context);
  }

 private:
  const FileCipher cipher_;
  uint64_t size_;
  bool failed_ = false;
  std::vector<char> buffer_;
};

/// The offsets in a file differ from those that its reader knows, and its bytes have to be in our
/// hands.
FileOptions Buffered(const FileOptions& options) {
  FileOptions buffered = options;
  buffered.use_mmap_reads = false;
  buffered.use_mmap_writes = false;
  buffered.use_direct_reads = false;
  buffered.use_direct_writes = false;
  return buffered;
}

class EncryptedFileSystem : public rocksdb::FileSystemWrapper {
 public:
  EncryptedFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base,
                      std::shared_ptr<const Keyring> keyring)
      : FileSystemWrapper(base), keyring_(std::move(keyring)) {}

  const char* Name() const override { return "TintypeEncryption"; }

  IOStatus NewSequentialFile(const std::string& name, const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* context) override {
    std::unique_ptr<FSSequentialFile> file;
    std::optional<FileCipher> cipher;
    IOStatus status = target()->NewSequentialFile(name, Buffered(options), &file, context);
    if (status.ok()) {
      const auto read = [&](size_t n, Slice* prefix, char* scratch) {
        return file->Read(n, options.io_options, prefix, scratch, context);
      };
      status = ReadPrefix(*keyring_, name, read, cipher);
    }
    if (status.ok()) {
      *result = std::make_unique<SequentialFile>(std::move(file), std::move(cipher));
    }
    return status;
  }

  IOStatus NewRandomAccessFile(const std::string& name, const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* context) override {
    std::unique_ptr<FSRandomAccessFile> file;
    std::optional<FileCipher> cipher;
    IOStatus status = target()->NewRandomAccessFile(name, Buffered(options), &file, context);
    if (status.ok()) {
      const auto read = [&](size_t n, Slice* prefix, char* scratch) {
        return file->Read(0, n, options.io_options, prefix, scratch, context);
      };
      status = ReadPrefix(*keyring_, name, read, cipher);
    }
    if (status.ok()) {
      *result = std::make_unique<RandomAccessFile>(std::move(file), std::move(cipher));
    }
    return status;
  }

  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* context) override {
    std::unique_ptr<FSWritableFile> file;
    IOStatus status = target()->NewWritableFile(name, Buffered(options), &file, context);
    return status.ok() ? Begin(std::move(file), options, result, context) : status;
  }

  // RocksDB does this to cut off what was allocated behind the end of a log, and to sync a file
  // that it did not write itself.
  IOStatus ReopenWritableFile(const std::string& name, const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* context) override {
    std::optional<FileCipher> cipher;
    std::unique_ptr<FSSequentialFile> existing;
    uint64_t stored = 0;
    IOStatus status = target()->NewSequentialFile(name, Buffered(options), &existing, context);
    if (status.ok()) {
      const auto read = [&](size_t n, Slice* prefix, char* scratch) {
        return existing->Read(n, options.io_options, prefix, scratch, context);
      };
      status = ReadPrefix(*keyring_, name, read, cipher);
      existing.reset();
    }
    if (status.ok()) {
      status = target()->GetFileSize(name, options.io_options, &stored, context);
    }
    if (!status.ok() && !status.IsPathNotFound() && !status.IsNotFound()) {
      return status;
    }
    std::unique_ptr<FSWritableFile> file;
    status = target()->ReopenWritableFile(name, Buffered(options), &file, context);
    if (status.ok() && cipher) {
      *result =
          std::make_unique<WritableFile>(std::move(file), *std::move(cipher), ContentSize(stored));
      return status;
    }
    // There is no file, or one whose prefix never reached the disk: its content starts now.
    if (status.ok() && stored > 0) {
      status = file->Truncate(0, options.io_options, context);
    }
    return status.ok() ? Begin(std::move(file), options, result, context) : status;
  }

  IOStatus ReuseWritableFile(const std::string& /*name*/, const std::string& /*old_name*/,
                             const FileOptions& /*options*/,
                             std::unique_ptr<FSWritableFile>* /*result*/,
                             IODebugContext* /*context*/) override {
    return NotSupported("logs are not recycled");
  }
  IOStatus NewRandomRWFile(const std::string& /*name*/, const FileOptions& /*options*/,
                           std::unique_ptr<FSRandomRWFile>* /*result*/,
                           IODebugContext* /*context*/) override {
    return NotSupported("files are only appended to");
  }
  IOStatus NewMemoryMappedFileBuffer(
      const std::string& /*name*/,
      std::unique_ptr<rocksdb::MemoryMappedFileBuffer>* /*result*/) override {
    return NotSupported("files are not mapped");
  }
  IOStatus NewLogger(const std::string& /*name*/, const IOOptions& /*options*/,
                     std::shared_ptr<rocksdb::Logger>* /*result*/,
                     IODebugContext* /*context*/) override {
    return NotSupported("an info log would be plain text");
  }
  IOStatus Truncate(const std::string& /*name*/, size_t /*size*/, const IOOptions& /*options*/,
                    IODebugContext* /*context*/) override {
    return NotSupported("files are cut only by who has them open");
  }

  IOStatus GetFileSize(const std::string& name, const IOOptions& options, uint64_t* size,
                       IODebugContext* context) override {
    IOStatus status = target()->GetFileSize(name, options, size, context);
    if (status.ok()) {
      *size = ContentSize(*size);
    }
    return status;
  }
  IOStatus GetChildrenFileAttributes(const std::string& directory, const IOOptions& options,
                                     std::vector<rocksdb::FileAttributes>* result,
                                     IODebugContext* context) override {
    IOStatus status = target()->GetChildrenFileAttributes(directory, options, result, context);
    for (rocksdb::FileAttributes& each : *result) {
      each.size_bytes = ContentSize(each.size_bytes);
    }
    return status;
  }

 private:
  /// Writes the prefix of a file that is empty.
  IOStatus Begin(std::unique_ptr<FSWritableFile> file, const FileOptions& options,
                 std::unique_ptr<FSWritableFile>* result, IODebugContext* context) {
    std::string prefix;
    FileCipher cipher = FileCipher::ForNewFile(*keyring_, prefix);
    IOStatus status = file->Append(prefix, options.io_options, context);
    if (status.ok()) {
      *result = std::make_unique<WritableFile>(std::move(file), std::move(cipher), 0);
    }
    return status;
  }

  const std::shared_ptr<const Keyring> keyring_;  // Shared with everything else that uses it.
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> MakeEncryptedFileSystem(
    const std::shared_ptr<rocksdb::FileSystem>& base, std::shared_ptr<const Keyring> keyring) {
  return std::make_shared<EncryptedFileSystem>(base, std::move(keyring));
}

}  // namespace tintype::tables::engine
