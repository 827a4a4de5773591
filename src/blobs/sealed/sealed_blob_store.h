#pragma once

#include <memory>
#include <string>

#include "blobs/blob_store.h"
#include "blobs/sealed/hidden_names.h"
#include "blobs/sealed/sealing_keys.h"

namespace tintype::blobs {

/// Any store, whose blobs are encrypted on their way in, if they are to be, and opened on their way
/// out (sealed_form.h). Blobs that are not encrypted are read as they are. Addresses in keys are
/// encrypted in any case (hidden_names.h).
///
/// As BlobStore otherwise, but: nobody else can read or write the blobs, so there are no presigned
/// links; of an encrypted blob, Open gives no descriptor, and OpenLocal that of a file in memory as
/// large as the blob; so does the writer of one. Thread-safe.
class SealedBlobStore : public BlobStore {
 public:
  SealedBlobStore(std::unique_ptr<BlobStore> store, std::shared_ptr<const SealingKeys> keys,
                  NewBlobs new_blobs);
  ~SealedBlobStore() override;

  Result<std::unique_ptr<BlobWriter>> Create(const BlobKey& key) override;
  /// Also: kCorruption when the blob was damaged or cut.
  Result<std::shared_ptr<const OpenBlob>> Open(const BlobKey& key) override;
  Result<std::shared_ptr<const OpenBlob>> OpenLocal(const BlobKey& key) override;
  /// Encrypts a copy, if it is to be encrypted.
  Result<BlobInfo> Adopt(const std::string& path, const BlobKey& key) override;
  /// Reads the beginning of the blob, since only that tells how it is kept.
  Result<std::optional<BlobInfo>> Head(const BlobKey& key) override;
  Status Delete(const BlobKey& key) override;
  Status Move(const BlobKey& from, const BlobKey& to) override;
  /// As Head for each of them. In the order of the names that the store below has.
  Result<BlobList> List(const ListRequest& request) override;
  Result<std::optional<uint64_t>> Seal(const BlobKey& key) override;
  Result<uint64_t> DeletePrefix(const std::string& bucket, const std::string& prefix) override;

 private:
  /// Where a blob lies: under its hidden name, or else under the key itself, as from before names
  /// were hidden. Errors: kNotFound when it is nowhere; those of Head.
  Result<BlobKey> Find(const BlobKey& key) const;
  /// The blob as it is kept; read in large pieces where the store is far away.
  Result<std::shared_ptr<const OpenBlob>> OpenStored(const BlobKey& key) const;
  /// The key under which a blob is written. Errors: kValidation.
  Result<BlobKey> Hidden(const BlobKey& key) const;
  /// Removes what lies under the key itself, where that is not where it is written.
  Status RemoveShown(const BlobKey& key);
  /// One try of Seal. Errors: also kConditionFailed, when the blob was replaced meanwhile.
  Result<std::optional<uint64_t>> SealOnce(const BlobKey& shown);

  const std::unique_ptr<BlobStore> store_;
  const NewBlobs new_blobs_;
  const std::shared_ptr<const SealingKeys> keys_;  // Shared with other keepers of files.
  const HiddenNames names_;
};

}  // namespace tintype::blobs
