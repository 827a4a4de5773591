#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "blobs/blob_store.h"
#include "blobs/s3/config.h"

namespace tintype::net {
class HttpClient;
}

namespace tintype::blobs::s3 {

class Client;
struct ObjectHead;

/// Blobs as objects of any service that speaks S3. A key is the object's key; large objects go up
/// in parts, which nobody sees before the last. Owned by the program's wiring. Thread-safe; calls
/// block, and are tried again within Config::call_timeout.
///
/// What a crash leaves are parts of objects that never came to be: opening the store ends those
/// that were begun more than a day before. Any number of processes may have the same buckets open.
///
/// Whatever keeps the storage from serving us, be it out of reach, full, or of another opinion on
/// our key or clock, is kUnavailable: it passes, or an operator makes it pass, and nothing is wrong
/// with the blob.
class S3BlobStore : public BlobStore {
 public:
  /// Looks at each bucket, and makes it if it is missing and that is allowed. Errors: kValidation
  /// for the configuration; kUnavailable, whose message tells an operator what to do; kIo.
  static Result<std::unique_ptr<S3BlobStore>> Connect(S3Config config, const Clock& clock);

  /// The same over an HTTP client of the caller's choice. For tests.
  static Result<std::unique_ptr<S3BlobStore>> ConnectOver(std::unique_ptr<net::HttpClient> http,
                                                          S3Config config, const Clock& clock);

  ~S3BlobStore() override;

  /// Bytes wait in a file without a name until there is a part of them.
  Result<std::unique_ptr<BlobWriter>> Create(const BlobKey& key) override;
  Result<std::shared_ptr<const OpenBlob>> Open(const BlobKey& key) override;
  Result<std::shared_ptr<const OpenBlob>> OpenLocal(const BlobKey& key) override;
  Result<BlobInfo> Adopt(const std::string& path, const BlobKey& key) override;
  Result<std::optional<BlobInfo>> Head(const BlobKey& key) override;
  Status Delete(const BlobKey& key) override;
  Status Move(const BlobKey& from, const BlobKey& to) override;
  /// Keys that no store accepts are left out: they are somebody else's.
  Result<BlobList> List(const ListRequest& request) override;
  Result<uint64_t> DeletePrefix(const std::string& bucket, const std::string& prefix) override;
  Result<std::optional<std::string>> PresignGet(const BlobKey& key,
                                                const PresignGetOptions& options) override;
  Result<std::optional<PresignedPut>> PresignPut(const BlobKey& key,
                                                 const PresignPutOptions& options) override;

 private:
  explicit S3BlobStore(std::shared_ptr<Client> client);

  Status PrepareBucket(const std::string& bucket);
  Status CreateBucket(const std::string& bucket);
  /// Whether the storage encrypts as it is asked to. Where that was only preferred, it is forgone.
  Status PrepareEncryption(const std::string& bucket);
  /// A copy that the service does not make by itself.
  Status CopyThroughHere(const BlobKey& from, const ObjectHead& head, const BlobKey& to);
  /// Ends uploads in parts that nobody will go on with.
  Status AbortLeftovers(const std::string& bucket);
  /// Refuses keys that no store takes, and buckets that this one does not have.
  Status Check(const BlobKey& key) const;
  Status CheckBucket(const std::string& bucket) const;

  // Shared with the blobs that are open, which may outlive the store.
  const std::shared_ptr<Client> client_;
};

}  // namespace tintype::blobs::s3
