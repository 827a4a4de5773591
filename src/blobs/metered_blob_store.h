#pragma once

#include <memory>
#include <string>

#include "blobs/blob_store.h"
#include "metrics/registry.h"

namespace tintype::blobs {

class BlobMeters;

/// The calls of a store, counted: by operation and outcome, with their times. Bytes that go past
/// the store, through a descriptor, are not seen. As BlobStore otherwise; the registry outlives it,
/// and whatever was opened here.
class MeteredBlobStore : public BlobStore {
 public:
  /// `kind` says in the metrics what it is: `files` or `s3`.
  MeteredBlobStore(std::unique_ptr<BlobStore> store, const std::string& kind,
                   metrics::Registry& registry);
  ~MeteredBlobStore() override;

  Result<std::unique_ptr<BlobWriter>> Create(const BlobKey& key) override;
  Result<std::shared_ptr<const OpenBlob>> Open(const BlobKey& key) override;
  Result<std::shared_ptr<const OpenBlob>> OpenLocal(const BlobKey& key) override;
  Result<BlobInfo> Adopt(const std::string& path, const BlobKey& key) override;
  Result<std::optional<BlobInfo>> Head(const BlobKey& key) override;
  Status Delete(const BlobKey& key) override;
  Status Move(const BlobKey& from, const BlobKey& to) override;
  Result<BlobList> List(const ListRequest& request) override;
  Result<std::optional<uint64_t>> Seal(const BlobKey& key) override;
  Result<uint64_t> DeletePrefix(const std::string& bucket, const std::string& prefix) override;
  Result<std::optional<std::string>> PresignGet(const BlobKey& key,
                                                const PresignGetOptions& options) override;
  Result<std::optional<PresignedPut>> PresignPut(const BlobKey& key,
                                                 const PresignPutOptions& options) override;

 private:
  const std::unique_ptr<BlobStore> store_;
  // Shared with the blobs that are open, which may outlive the store.
  const std::shared_ptr<const BlobMeters> meters_;
};

}  // namespace tintype::blobs
