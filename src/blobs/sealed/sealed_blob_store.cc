#include "blobs/sealed/sealed_blob_store.h"

#include <utility>

#include "blobs/local_file.h"
#include "blobs/sealed/memory_file.h"
#include "blobs/sealed/open_sealed_blob.h"
#include "blobs/sealed/sealed_writer.h"

namespace tintype::blobs {
namespace {

/// What is moved at once from one place to another.
constexpr size_t kPieceBytes = size_t{1} << 20;

/// The info of a blob by what the store below says of it: that of what is sealed in it, if
/// anything. Of one that is damaged it is that of the file; Open says what is wrong with it.
BlobInfo PlainInfo(const OpenBlob& stored, const SealingKeys& keys) {
  BlobInfo info = stored.info();
  const Result<bool> sealed = IsSealed(stored, keys);
  if (sealed.ok() && *sealed) {
    info.bytes = BytesOfSealed(info.bytes).value_or(info.bytes);
  }
  return info;
}

/// Hands all bytes of `from`, which has a Read as OpenBlob's, to `take`.
template <typename From, typename Take>
Status CopyAll(const From& from, const Take& take) {
  std::string piece(kPieceBytes, '\0');
  for (uint64_t at = 0; at < from.bytes();) {
    ASSIGN_OR_RETURN(const size_t count, from.Read(at, piece));
    if (count == 0) {
      return Error::Corruption("A blob has become shorter since it was opened");
    }
    RETURN_IF_ERROR(take(std::string_view(piece).substr(0, count)));
    at += count;
  }
  return OkStatus();
}

}  // namespace

SealedBlobStore::SealedBlobStore(std::unique_ptr<BlobStore> store,
                                 std::shared_ptr<const SealingKeys> keys, NewBlobs new_blobs)
    : store_(std::move(store)), new_blobs_(new_blobs), keys_(std::move(keys)) {}

SealedBlobStore::~SealedBlobStore() = default;

Result<std::unique_ptr<BlobWriter>> SealedBlobStore::Create(const BlobKey& key) {
  ASSIGN_OR_RETURN(auto writer, store_->Create(key));
  if (new_blobs_ == NewBlobs::kPlain) {
    return writer;
  }
  return std::unique_ptr<BlobWriter>(std::make_unique<SealedWriter>(std::move(writer), *keys_));
}

Result<std::shared_ptr<const OpenBlob>> SealedBlobStore::Open(const BlobKey& key) {
  ASSIGN_OR_RETURN(auto stored, store_->Open(key));
  ASSIGN_OR_RETURN(const bool sealed, IsSealed(*stored, *keys_));
  return sealed ? OpenSealedBlob::Open(std::move(stored), *keys_)
                : Result<std::shared_ptr<const OpenBlob>>(std::move(stored));
}

Result<std::shared_ptr<const OpenBlob>> SealedBlobStore::OpenLocal(const BlobKey& key) {
  ASSIGN_OR_RETURN(auto stored, store_->Open(key));
  ASSIGN_OR_RETURN(const bool sealed, IsSealed(*stored, *keys_));
  if (!sealed) {
    // The file that was looked at, if it is one: another may have come in its place.
    return stored->descriptor() >= 0 ? std::move(stored) : store_->OpenLocal(key);
  }
  ASSIGN_OR_RETURN(const auto blob, OpenSealedBlob::Open(std::move(stored), *keys_));
  ASSIGN_OR_RETURN(MemoryFile file, MemoryFile::Create());
  RETURN_IF_ERROR(CopyAll(*blob, [&](std::string_view piece) { return file.Append(piece); }));
  return std::shared_ptr<const OpenBlob>(
      std::make_shared<const BlobInMemory>(std::move(file), blob->info()));
}

Result<BlobInfo> SealedBlobStore::Adopt(const std::string& path, const BlobKey& key) {
  if (new_blobs_ == NewBlobs::kPlain) {
    return store_->Adopt(path, key);
  }
  ASSIGN_OR_RETURN(const LocalFile file, LocalFile::Open(path));
  ASSIGN_OR_RETURN(const auto writer, Create(key));
  RETURN_IF_ERROR(CopyAll(file, [&](std::string_view piece) { return writer->Write(piece); }));
  return writer->Commit();
}

Result<std::optional<BlobInfo>> SealedBlobStore::Head(const BlobKey& key) {
  const auto stored = store_->Open(key);
  if (!stored.ok()) {
    return store_->Head(key);
  }
  return std::optional(PlainInfo(**stored, *keys_));
}

Status SealedBlobStore::Delete(const BlobKey& key) { return store_->Delete(key); }

Status SealedBlobStore::Move(const BlobKey& from, const BlobKey& to) {
  return store_->Move(from, to);
}

Result<BlobList> SealedBlobStore::List(const ListRequest& request) {
  ASSIGN_OR_RETURN(BlobList list, store_->List(request));
  for (ListedBlob& blob : list.blobs) {
    // One that was deleted meanwhile, or cannot be read, keeps no list from the others.
    if (const auto stored = store_->Open({request.bucket, blob.key}); stored.ok()) {
      blob.info = PlainInfo(**stored, *keys_);
    }
  }
  return list;
}

Result<uint64_t> SealedBlobStore::DeletePrefix(const std::string& bucket,
                                               const std::string& prefix) {
  return store_->DeletePrefix(bucket, prefix);
}

}  // namespace tintype::blobs
