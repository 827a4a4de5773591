#pragma once

#include "blobs/blob_store.h"
#include "blobs/internal/file_system.h"

namespace tintype::blobs {

/// One page of the blobs in a bucket's folder, in the order of their keys' bytes. Keeps as many
/// names of a folder in memory as the page has, however many there are. Skips what is not a blob:
/// names that no key has, links, devices. REQUIRES: the bucket is there, the limit is in range.
Result<BlobList> ListFiles(FileSystem& files, const ListRequest& request);

}  // namespace tintype::blobs
