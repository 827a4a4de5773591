#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "blobs/blob_store.h"
#include "blobs/s3/internal/client.h"

/// Objects that are there, and reading them.
namespace tintype::blobs::s3 {

struct ObjectHead {
  BlobInfo info;
  std::string etag;        // Without quotes.
  bool etag_plain = true;  // Whether it says something about the bytes.
  bool own_key = false;    // Whether it is encrypted with our own key (StorageEncryption::kOwnKey).
};

/// Nothing when there is no such object, which a list of its bucket confirms.
Result<std::optional<ObjectHead>> HeadObject(Client& client, const BlobKey& key);

/// Whether the ETag in an answer is made of MD5s of the bytes. It is not with encryption under a
/// key of the storage's own or of the client's.
bool HasPlainETag(const net::HttpAnswer& answer);

/// Reads ranges as they are wanted. Shares the client, and may outlive the store.
std::shared_ptr<const OpenBlob> OpenObject(std::shared_ptr<Client> client, BlobKey key,
                                           ObjectHead head);

/// The whole object in a file without a name. Errors: kNotFound when it was deleted or replaced
/// meanwhile; kCorruption when the bytes are not those that the storage says it has.
Result<std::shared_ptr<const OpenBlob>> DownloadObject(Client& client, const BlobKey& key,
                                                       const ObjectHead& head);

}  // namespace tintype::blobs::s3
