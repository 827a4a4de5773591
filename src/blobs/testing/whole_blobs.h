#pragma once

#include <string>
#include <string_view>

#include "blobs/blob_store.h"

/// Blobs that fit into a string. For tests.
namespace tintype::blobs {

inline Result<BlobInfo> PutBlob(BlobStore& store, const BlobKey& key, std::string_view bytes) {
  ASSIGN_OR_RETURN(const std::unique_ptr<BlobWriter> writer, store.Create(key));
  RETURN_IF_ERROR(writer->Write(bytes));
  return writer->Commit();
}

inline Result<std::string> GetBlob(BlobStore& store, const BlobKey& key) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const OpenBlob> blob, store.Open(key));
  std::string bytes(static_cast<size_t>(blob->bytes()), '\0');
  ASSIGN_OR_RETURN(const size_t count, blob->Read(0, bytes));
  bytes.resize(count);
  return bytes;
}

}  // namespace tintype::blobs
