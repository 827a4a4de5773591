#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/settings/blob_settings.h"
#include "cli/settings/data_directory.h"

/// Where the photos of a data directory are, which the directory itself knows: its file `BLOBS`
/// says `files`, or `s3` and the names of the two buckets. Whoever works on photos with other
/// settings would put new ones where nobody looks for them, and miss all that there are.
namespace tintype::cli {

/// What the directory says, or shows; nothing when it does neither. On S3 it knows the buckets
/// alone. Errors: kCorruption when the record cannot be understood; kIo.
Result<std::optional<BlobSettings>> FindBlobPlace(const DataDirectory& directory);

/// The flags that lead to that place.
std::string BlobFlagsFor(const BlobSettings& place);

/// Refuses settings that look for the photos elsewhere. A directory from before there was such a
/// record has its photos in files if there are any, else wherever the settings say. Errors:
/// kValidation, saying which settings are right, and what to do if the photos were moved;
/// kCorruption when the record cannot be understood; kIo.
Status CheckBlobPlace(const DataDirectory& directory, const BlobSettings& settings);

/// Writes the record if there is none; on disk when it returns. To be called before the first photo
/// comes, and once the storage has answered. REQUIRES: CheckBlobPlace agrees.
Status RecordBlobPlace(const DataDirectory& directory, const BlobSettings& settings);

}  // namespace tintype::cli
