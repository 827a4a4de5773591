#include "blobs/file_blob_store.h"

#include <fcntl.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/strings.h"
#include "blobs/internal/blob_tree.h"
#include "blobs/internal/file_blob_writer.h"
#include "blobs/internal/file_list.h"
#include "blobs/internal/file_system.h"
#include "blobs/internal/key_path.h"
#include "blobs/local_file.h"

namespace tintype::blobs {
namespace {

constexpr size_t kCopyPieceBytes = 1 << 20;

class OpenFileBlob : public OpenBlob {
 public:
  OpenFileBlob(std::unique_ptr<File> file, BlobInfo info)
      : file_(std::move(file)), info_(std::move(info)) {}

  const BlobInfo& info() const override { return info_; }
  int descriptor() const override { return file_->descriptor(); }
  int named_descriptor() const override { return file_->descriptor(); }

  Result<size_t> Read(uint64_t offset, std::span<char> out) const override {
    const uint64_t rest = offset < info_.bytes ? info_.bytes - offset : 0;
    out = out.first(static_cast<size_t>(std::min<uint64_t>(out.size(), rest)));
    size_t count = 0;
    if (const SystemError error = file_->Read(offset, out, count); error != 0) {
      return StorageError(error, "read a blob", "");
    }
    if (count < out.size()) {
      return Error::Corruption("A blob has become shorter since it was opened");
    }
    return count;
  }

  Result<std::optional<size_t>> ReadNow(uint64_t offset, std::span<char> out) const override {
    const uint64_t rest = offset < info_.bytes ? info_.bytes - offset : 0;
    out = out.first(static_cast<size_t>(std::min<uint64_t>(out.size(), rest)));
    const iovec whole = {out.data(), out.size()};
    // Of a file that is in memory in part, or on a file system that cannot tell, Read knows more.
    const bool all_there = file_->descriptor() >= 0 &&
                           ::preadv2(file_->descriptor(), &whole, 1, static_cast<off_t>(offset),
                                     RWF_NOWAIT) == static_cast<ssize_t>(out.size());
    return all_there ? std::optional(out.size()) : std::nullopt;
  }

  void ForgetRead(uint64_t end) const override {
    if (file_->descriptor() >= 0) {
      // Only advice: if it is not taken, the same is read.
      static_cast<void>(
          ::posix_fadvise(file_->descriptor(), 0, static_cast<off_t>(end), POSIX_FADV_DONTNEED));
    }
  }

 private:
  const std::unique_ptr<File> file_;
  const BlobInfo info_;
};

Status MakeFolder(FileSystem& files, const std::string& name) {
  const SystemError error = files.MakeDirectory(name);
  return error == 0 || error == EEXIST ? OkStatus()
                                       : Status(StorageError(error, "make a folder", name));
}

/// Removes what was unfinished when the process last ended.
Status EmptyTemporaryFolder(FileSystem& files) {
  std::vector<std::string> names;
  const SystemError error = files.ReadDirectory(
      kTemporaryFolder, [&](std::string_view name, bool) { names.emplace_back(name); });
  if (error != 0) {
    return StorageError(error, "read a folder", kTemporaryFolder);
  }
  for (const std::string& name : names) {
    const std::string path = StrCat(kTemporaryFolder, "/", name);
    if (const SystemError failed = files.Unlink(path); failed != 0) {
      return StorageError(failed, "remove an unfinished blob", path);
    }
  }
  return OkStatus();
}

BlobInfo InfoOf(const FileStatus& status) {
  return {.bytes = status.bytes, .modified_ms = status.modified_ms};
}

Error NoSuchBlob(const BlobKey& key) {
  return Error::NotFound("No such blob").WithNote(StrCat(key.bucket, "/", key.key));
}

}  // namespace

FileBlobStore::FileBlobStore(std::unique_ptr<FileSystem> files, std::vector<std::string> buckets)
    : files_(std::move(files)),
      tree_(std::make_unique<BlobTree>(*files_)),
      buckets_(std::move(buckets)) {}

FileBlobStore::~FileBlobStore() = default;

Result<std::unique_ptr<FileBlobStore>> FileBlobStore::OpenRoot(const Config& config) {
  ASSIGN_OR_RETURN(std::unique_ptr<FileSystem> files, OpenPosixFileSystem(config.root));
  return OpenOn(std::move(files), config.buckets);
}

Result<std::unique_ptr<FileBlobStore>> FileBlobStore::OpenOn(std::unique_ptr<FileSystem> files,
                                                             std::vector<std::string> buckets) {
  for (const std::string& bucket : buckets) {
    RETURN_IF_ERROR(ValidateBucketName(bucket));
    RETURN_IF_ERROR(MakeFolder(*files, bucket));
  }
  RETURN_IF_ERROR(MakeFolder(*files, kTemporaryFolder));
  RETURN_IF_ERROR(EmptyTemporaryFolder(*files));
  if (const SystemError error = files->SyncDirectory("."); error != 0) {
    return StorageError(error, "sync a folder", ".");
  }
  return std::unique_ptr<FileBlobStore>(new FileBlobStore(std::move(files), std::move(buckets)));
}

Result<std::unique_ptr<BlobWriter>> FileBlobStore::Create(const BlobKey& key) {
  ASSIGN_OR_RETURN(std::string path, PathOf(key));
  // Commit would find out as well, but perhaps after a gigabyte.
  RETURN_IF_ERROR(CheckFolders(path));
  return FileBlobWriter::Create(*files_, *tree_, std::move(path));
}

struct FileBlobStore::FoundFile {
  std::string path;
  std::unique_ptr<File> file;
  FileStatus status;
};

Result<FileBlobStore::FoundFile> FileBlobStore::FindFile(const BlobKey& key) {
  FoundFile found;
  ASSIGN_OR_RETURN(found.path, PathOf(key));
  const SystemError error = files_->OpenFile(found.path, found.file);
  // ELOOP is a symbolic link, which is no blob.
  if (IsMissing(error) || error == ELOOP) {
    return NoSuchBlob(key);
  }
  if (error != 0) {
    return StorageError(error, "open a blob", found.path);
  }
  if (const SystemError failed = found.file->Status(found.status); failed != 0) {
    return StorageError(failed, "look at a file", found.path);
  }
  return found.status.is_file ? Result<FoundFile>(std::move(found)) : NoSuchBlob(key);
}

Result<std::shared_ptr<const OpenBlob>> FileBlobStore::Open(const BlobKey& key) {
  ASSIGN_OR_RETURN(FoundFile found, FindFile(key));
  return std::shared_ptr<const OpenBlob>(
      std::make_shared<OpenFileBlob>(std::move(found.file), InfoOf(found.status)));
}

Result<BlobRewrite> FileBlobStore::Rewrite(const BlobKey& key) {
  ASSIGN_OR_RETURN(FoundFile found, FindFile(key));
  ASSIGN_OR_RETURN(auto writer,
                   FileBlobWriter::CreateInsteadOf(*files_, *tree_, found.path, found.status));
  return BlobRewrite{std::make_shared<OpenFileBlob>(std::move(found.file), InfoOf(found.status)),
                     std::move(writer)};
}

Result<BlobInfo> FileBlobStore::Adopt(const std::string& path, const BlobKey& key) {
  ASSIGN_OR_RETURN(const std::string to_path, PathOf(key));
  RETURN_IF_ERROR(CheckFolders(to_path));
  const std::string temporary = tree_->NewTemporary();
  const SystemError error = files_->LinkOutside(path, temporary);
  // Another file system, one without hard links, or a file that has all the links it may have.
  if (error == EXDEV || error == EPERM || error == EMLINK) {
    return AdoptCopy(path, key);
  }
  if (IsMissing(error)) {
    return Error::NotFound("No such file").WithNote(path);
  }
  if (error != 0) {
    return StorageError(error, "link a file", path);
  }
  Result<BlobInfo> placed = PlaceLinked(temporary, to_path);
  // It is still there after an error, and when the file had this key already: then a rename does
  // nothing.
  files_->Unlink(temporary);
  return placed;
}

Result<BlobInfo> FileBlobStore::PlaceLinked(const std::string& temporary, const std::string& path) {
  std::unique_ptr<File> file;
  FileStatus status;
  SystemError error = files_->OpenFile(temporary, file);
  if (error == 0) {
    error = file->Status(status);
  }
  if (error == 0 && !status.is_file) {
    error = EINVAL;
  }
  if (error == 0) {
    error = file->Sync();
  }
  if (error != 0) {
    return StorageError(error, "take over a file", path);
  }
  RETURN_IF_ERROR(tree_->Place(temporary, path));
  return InfoOf(status);
}

Result<BlobInfo> FileBlobStore::AdoptCopy(const std::string& path, const BlobKey& key) {
  ASSIGN_OR_RETURN(const std::unique_ptr<BlobWriter> writer, Create(key));
  ASSIGN_OR_RETURN(const LocalFile file, LocalFile::Open(path));
  std::vector<char> piece(kCopyPieceBytes);
  for (uint64_t offset = 0; offset < file.bytes();) {
    ASSIGN_OR_RETURN(const size_t count, file.Read(offset, piece));
    RETURN_IF_ERROR(writer->Write({piece.data(), count}));
    offset += count;
  }
  return writer->Commit();
}

Result<std::optional<BlobInfo>> FileBlobStore::Head(const BlobKey& key) {
  ASSIGN_OR_RETURN(const std::string path, PathOf(key));
  FileStatus status;
  const SystemError error = files_->Status(path, status);
  if (error != 0 && !IsMissing(error)) {
    return StorageError(error, "look at a file", path);
  }
  std::optional<BlobInfo> info;
  if (error == 0 && status.is_file) {
    info = InfoOf(status);
  }
  return info;
}

Status FileBlobStore::Delete(const BlobKey& key) {
  ASSIGN_OR_RETURN(const std::string path, PathOf(key));
  return tree_->Remove(path);
}

Status FileBlobStore::Move(const BlobKey& from, const BlobKey& to) {
  ASSIGN_OR_RETURN(const std::string from_path, PathOf(from));
  ASSIGN_OR_RETURN(const std::string to_path, PathOf(to));
  ASSIGN_OR_RETURN(const std::optional<BlobInfo> at_from, Head(from));
  ASSIGN_OR_RETURN(const std::optional<BlobInfo> at_to, Head(to));
  if (!at_from.has_value() && !at_to.has_value()) {
    return NoSuchBlob(from);
  }
  if (from == to) {
    return OkStatus();
  }
  if (!at_from.has_value()) {
    // It was moved before, by a call that may have been stopped before the removal was on disk.
    return tree_->Remove(from_path);
  }
  // A second name, and only when that is on disk the first one goes. A rename from one folder to
  // another could be halved by a power cut, where the file system does not promise otherwise.
  const std::string temporary = tree_->NewTemporary();
  if (const SystemError error = files_->Link(from_path, temporary); error != 0) {
    if (!IsMissing(error)) {
      return StorageError(error, "link a blob", from_path);
    }
    // Somebody else has moved it meanwhile, or deleted it.
    ASSIGN_OR_RETURN(const std::optional<BlobInfo> moved, Head(to));
    return moved.has_value() ? tree_->Remove(from_path) : Status(NoSuchBlob(from));
  }
  const Status placed = tree_->Place(temporary, to_path);
  // It is still there after an error, and when both keys were names of one file already: then a
  // rename does nothing.
  files_->Unlink(temporary);
  RETURN_IF_ERROR(placed);
  return tree_->Remove(from_path);
}

Status FileBlobStore::MoveUnlessThere(const BlobKey& from, const BlobKey& to) {
  ASSIGN_OR_RETURN(const std::string from_path, PathOf(from));
  ASSIGN_OR_RETURN(const std::string to_path, PathOf(to));
  if (from == to) {
    return OkStatus();
  }
  RETURN_IF_ERROR(tree_->LinkUnlessThere(from_path, to_path));
  return tree_->Remove(from_path);
}

Result<BlobList> FileBlobStore::List(const ListRequest& request) {
  RETURN_IF_ERROR(CheckBucket(request.bucket));
  if (request.limit < 1 || request.limit > kListLimitMax) {
    return Error::Validation(StrCat("The limit of a list of blobs is 1 to ", kListLimitMax));
  }
  return ListFiles(*files_, request);
}

Result<uint64_t> FileBlobStore::DeletePrefix(const std::string& bucket, const std::string& prefix) {
  ASSIGN_OR_RETURN(const uint64_t deleted, BlobStore::DeletePrefix(bucket, prefix));
  RETURN_IF_ERROR(tree_->RemoveEmptyFolders(StrCat(bucket, "/", EncodeKey(prefix))));
  return deleted;
}

Result<std::string> FileBlobStore::PathOf(const BlobKey& key) const {
  RETURN_IF_ERROR(ValidateBlobKey(key));
  RETURN_IF_ERROR(CheckBucket(key.bucket));
  return StrCat(key.bucket, "/", EncodeKey(key.key));
}

Status FileBlobStore::CheckFolders(const std::string& path) {
  FileStatus status;
  const SystemError error = files_->Status(path, status);
  if (error == ENOTDIR || (error == 0 && status.is_directory)) {
    return FolderConflict(path);
  }
  return OkStatus();
}

Status FileBlobStore::CheckBucket(const std::string& bucket) const {
  if (std::ranges::find(buckets_, bucket) == buckets_.end()) {
    return Error::NotFound("No such bucket").WithNote(bucket);
  }
  return OkStatus();
}

}  // namespace tintype::blobs
