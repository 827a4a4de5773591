#include "blobs/sealed/sealed_blob_store.h"

#include <functional>
#include <utility>

#include "blobs/internal/copy_all.h"
#include "blobs/local_file.h"
#include "blobs/sealed/buffered_blob.h"
#include "blobs/sealed/memory_file.h"
#include "blobs/sealed/open_sealed_blob.h"
#include "blobs/sealed/sealed_writer.h"

namespace tintype::blobs {
namespace {

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

/// A writer that has something to do once its blob is there.
class WriterWithEnd : public BlobWriter {
 public:
  WriterWithEnd(std::unique_ptr<BlobWriter> writer, std::function<Status()> end)
      : writer_(std::move(writer)), end_(std::move(end)) {}

  Status Write(std::string_view piece) override { return writer_->Write(piece); }
  int descriptor() const override { return writer_->descriptor(); }
  Result<BlobInfo> Commit() override {
    ASSIGN_OR_RETURN(BlobInfo info, writer_->Commit());
    RETURN_IF_ERROR(end_());
    return info;
  }

 private:
  const std::unique_ptr<BlobWriter> writer_;
  const std::function<Status()> end_;
};

}  // namespace

SealedBlobStore::SealedBlobStore(std::unique_ptr<BlobStore> store,
                                 std::shared_ptr<const SealingKeys> keys, NewBlobs new_blobs)
    : store_(std::move(store)), new_blobs_(new_blobs), keys_(std::move(keys)), names_(*keys_) {}

SealedBlobStore::~SealedBlobStore() = default;

Result<BlobKey> SealedBlobStore::Hidden(const BlobKey& key) const {
  RETURN_IF_ERROR(ValidateBlobKey(key));
  return BlobKey{key.bucket, names_.Hide(key.key)};
}

Result<BlobKey> SealedBlobStore::Find(const BlobKey& key) const {
  if (!HiddenNames::HidesAnyOf(key.key)) {
    return key;
  }
  ASSIGN_OR_RETURN(BlobKey hidden, Hidden(key));
  for (const BlobKey& place : {hidden, key}) {
    ASSIGN_OR_RETURN(const auto info, store_->Head(place));
    if (info) {
      return place;
    }
  }
  return hidden;
}

Status SealedBlobStore::RemoveShown(const BlobKey& key) {
  return HiddenNames::HidesAnyOf(key.key) ? store_->Delete(key) : OkStatus();
}

Result<std::unique_ptr<BlobWriter>> SealedBlobStore::Create(const BlobKey& key) {
  ASSIGN_OR_RETURN(const BlobKey hidden, Hidden(key));
  ASSIGN_OR_RETURN(auto writer, store_->Create(hidden));
  if (new_blobs_ == NewBlobs::kSealed) {
    writer = std::make_unique<SealedWriter>(std::move(writer), *keys_);
  }
  if (HiddenNames::HidesAnyOf(key.key)) {
    writer = std::make_unique<WriterWithEnd>(std::move(writer),
                                             [this, key] { return RemoveShown(key); });
  }
  return writer;
}

Result<std::shared_ptr<const OpenBlob>> SealedBlobStore::OpenStored(const BlobKey& key) const {
  ASSIGN_OR_RETURN(const BlobKey place, Find(key));
  auto stored = store_->Open(place);
  if (!stored.ok() && stored.error().kind() == ErrorKind::kNotFound &&
      HiddenNames::HidesAnyOf(place.key)) {
    // It got its hidden name meanwhile.
    ASSIGN_OR_RETURN(const BlobKey hidden, Hidden(key));
    stored = store_->Open(hidden);
  }
  RETURN_IF_ERROR(stored);
  return BufferedBlob::Of(*std::move(stored));
}

Result<std::shared_ptr<const OpenBlob>> SealedBlobStore::Open(const BlobKey& key) {
  ASSIGN_OR_RETURN(auto stored, OpenStored(key));
  ASSIGN_OR_RETURN(const bool sealed, IsSealed(*stored, *keys_));
  return sealed ? OpenSealedBlob::Open(std::move(stored), *keys_)
                : Result<std::shared_ptr<const OpenBlob>>(std::move(stored));
}

Result<std::shared_ptr<const OpenBlob>> SealedBlobStore::OpenLocal(const BlobKey& key) {
  ASSIGN_OR_RETURN(auto stored, OpenStored(key));
  ASSIGN_OR_RETURN(const bool sealed, IsSealed(*stored, *keys_));
  if (!sealed) {
    // The file that was looked at, if it is one: another may have come in its place.
    if (stored->descriptor() >= 0) {
      return stored;
    }
    ASSIGN_OR_RETURN(const BlobKey place, Find(key));
    return store_->OpenLocal(place);
  }
  ASSIGN_OR_RETURN(const auto blob, OpenSealedBlob::Open(std::move(stored), *keys_));
  ASSIGN_OR_RETURN(MemoryFile file, MemoryFile::Create());
  RETURN_IF_ERROR(CopyAll(*blob, [&](std::string_view piece) { return file.Append(piece); }));
  return std::shared_ptr<const OpenBlob>(
      std::make_shared<const BlobInMemory>(std::move(file), blob->info()));
}

Result<BlobInfo> SealedBlobStore::Adopt(const std::string& path, const BlobKey& key) {
  if (new_blobs_ == NewBlobs::kPlain) {
    ASSIGN_OR_RETURN(const BlobKey hidden, Hidden(key));
    ASSIGN_OR_RETURN(BlobInfo info, store_->Adopt(path, hidden));
    RETURN_IF_ERROR(RemoveShown(key));
    return info;
  }
  ASSIGN_OR_RETURN(const LocalFile file, LocalFile::Open(path));
  ASSIGN_OR_RETURN(const auto writer, Create(key));
  RETURN_IF_ERROR(CopyAll(file, [&](std::string_view piece) { return writer->Write(piece); }));
  return writer->Commit();
}

Result<std::optional<BlobInfo>> SealedBlobStore::Head(const BlobKey& key) {
  ASSIGN_OR_RETURN(const BlobKey place, Find(key));
  const auto stored = store_->Open(place);
  if (!stored.ok()) {
    return store_->Head(place);
  }
  return std::optional(PlainInfo(**stored, *keys_));
}

Status SealedBlobStore::Delete(const BlobKey& key) {
  ASSIGN_OR_RETURN(const BlobKey hidden, Hidden(key));
  RETURN_IF_ERROR(RemoveShown(key));
  return store_->Delete(hidden);
}

Status SealedBlobStore::Move(const BlobKey& from, const BlobKey& to) {
  ASSIGN_OR_RETURN(const BlobKey place, Find(from));
  ASSIGN_OR_RETURN(const BlobKey hidden, Hidden(to));
  RETURN_IF_ERROR(store_->Move(place, hidden));
  return from == to ? OkStatus() : RemoveShown(to);
}

Result<BlobList> SealedBlobStore::List(const ListRequest& request) {
  ListRequest below = request;
  below.prefix = names_.Hide(request.prefix);
  // `after` is a name of the store below, see there.
  ASSIGN_OR_RETURN(BlobList list, store_->List(below));
  if (!list.blobs.empty()) {
    list.last = list.after();
  }
  for (ListedBlob& blob : list.blobs) {
    // One that was deleted meanwhile, or cannot be read, keeps no list from the others.
    if (const auto stored = store_->Open({request.bucket, blob.key}); stored.ok()) {
      blob.info = PlainInfo(**stored, *keys_);
    }
    blob.key = names_.Show(blob.key);
  }
  return list;
}

Result<std::optional<uint64_t>> SealedBlobStore::Seal(const BlobKey& key) {
  if (new_blobs_ == NewBlobs::kPlain) {
    return BlobStore::Seal(key);
  }
  constexpr int kTries = 5;
  for (int tries = 0; tries < kTries; ++tries) {
    auto sealed = SealOnce(key);
    if (sealed.ok() || sealed.error().kind() == ErrorKind::kNotFound) {
      return sealed.ok() ? sealed : Result<std::optional<uint64_t>>(std::nullopt);
    }
    if (sealed.error().kind() != ErrorKind::kConditionFailed) {
      return sealed;
    }
  }
  return Error::InUse("The blob is replaced again and again");
}

Result<std::optional<uint64_t>> SealedBlobStore::SealOnce(const BlobKey& shown) {
  ASSIGN_OR_RETURN(const BlobKey key, Hidden(shown));
  ASSIGN_OR_RETURN(const BlobKey place, Find(shown));
  if (place != key) {
    RETURN_IF_ERROR(store_->MoveUnlessThere(place, key));
  } else {
    // The writer of the one with the hidden name may have been stopped before this.
    RETURN_IF_ERROR(RemoveShown(shown));
  }
  {
    // Most are encrypted already: nothing is begun for those.
    ASSIGN_OR_RETURN(const auto stored, store_->Open(key));
    ASSIGN_OR_RETURN(const bool sealed, IsSealed(*stored, *keys_));
    if (sealed) {
      return std::optional<uint64_t>();
    }
  }
  ASSIGN_OR_RETURN(BlobRewrite rewrite, store_->Rewrite(key));
  ASSIGN_OR_RETURN(const bool sealed, IsSealed(*rewrite.blob, *keys_));
  if (sealed) {
    return std::optional<uint64_t>();
  }
  SealedWriter writer(std::move(rewrite.writer), *keys_);
  RETURN_IF_ERROR(
      CopyAll(*rewrite.blob, [&](std::string_view piece) { return writer.Write(piece); }));
  rewrite.blob->ForgetRead(rewrite.blob->bytes());
  ASSIGN_OR_RETURN(const BlobInfo info, writer.Commit());
  return std::optional(info.bytes);
}

Result<uint64_t> SealedBlobStore::DeletePrefix(const std::string& bucket,
                                               const std::string& prefix) {
  RETURN_IF_ERROR(CheckFolderPrefix(bucket, prefix));
  uint64_t deleted = 0;
  if (HiddenNames::HidesAnyOf(prefix)) {
    ASSIGN_OR_RETURN(deleted, store_->DeletePrefix(bucket, prefix));
  }
  ASSIGN_OR_RETURN(const uint64_t hidden, store_->DeletePrefix(bucket, names_.Hide(prefix)));
  return deleted + hidden;
}

}  // namespace tintype::blobs
