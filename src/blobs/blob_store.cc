#include "blobs/blob_store.h"

namespace tintype::blobs {

Result<int> DescriptorOf(BlobWriter& writer) {
  const int descriptor = writer.descriptor();
  if (descriptor >= 0) {
    return descriptor;
  }
  const Result<BlobInfo> refused = writer.Commit();
  return refused.ok() ? Error::Internal("A blob's writer has no descriptor") : refused.error();
}

Status CheckFolderPrefix(const std::string& bucket, const std::string& prefix) {
  if (!prefix.ends_with('/')) {
    return Error::Validation("The prefix of blobs to delete has to end in '/'");
  }
  return ValidateBlobKey({bucket, prefix.substr(0, prefix.size() - 1)});
}

Result<uint64_t> BlobStore::DeletePrefix(const std::string& bucket, const std::string& prefix) {
  RETURN_IF_ERROR(CheckFolderPrefix(bucket, prefix));
  uint64_t deleted = 0;
  // Each page begins after the last, not at the beginning: blobs written meanwhile cannot keep this
  // going for ever.
  ListRequest request{.bucket = bucket, .prefix = prefix};
  for (bool more = true; more;) {
    ASSIGN_OR_RETURN(const BlobList page, List(request));
    for (const ListedBlob& blob : page.blobs) {
      RETURN_IF_ERROR(Delete({bucket, blob.key}));
      ++deleted;
    }
    more = page.more && !page.blobs.empty();
    if (more) {
      request.after = page.after();
    }
  }
  return deleted;
}

Result<BlobRewrite> BlobStore::Rewrite(const BlobKey&) {
  return Error::Validation("This blob storage cannot replace blobs in their place");
}

Status BlobStore::MoveUnlessThere(const BlobKey&, const BlobKey&) {
  return Error::Validation("This store moves blobs in place of others only");
}

Result<std::optional<uint64_t>> BlobStore::Seal(const BlobKey&) {
  return Error::Validation("New photos are not encrypted here, so the others are not either");
}

Result<std::optional<std::string>> BlobStore::PresignGet(const BlobKey&, const PresignGetOptions&) {
  return std::optional<std::string>();
}

Result<std::optional<PresignedPut>> BlobStore::PresignPut(const BlobKey&,
                                                          const PresignPutOptions&) {
  return std::optional<PresignedPut>();
}

}  // namespace tintype::blobs
