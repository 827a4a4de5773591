#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/settings/blob_settings.h"
#include "cli/settings/data_directory.h"

/// Where the photos of a data directory are, which the directory itself knows: its file `BLOBS`
/// says `files` or `s3`, and the names of the two buckets. Work on photos with other settings would
/// put new ones where nobody looks for them, and miss all that there are.
namespace tintype::cli {

/// The buckets of a gallery in files that was told no names.
inline constexpr std::string_view kDefaultUploadsBucket = "uploads";
inline constexpr std::string_view kDefaultImagesBucket = "images";

/// A place as one line: `files`, which means the default names, `files UPLOADS IMAGES` or
/// `s3 UPLOADS IMAGES`. REQUIRES: `place` has both names.
std::string LineOfBlobPlace(const BlobSettings& place);

/// The place that a line names, with both names; on S3 it knows the buckets alone. Nothing when it
/// is no such line.
std::optional<BlobSettings> ParseBlobPlace(std::string_view line);

/// What the directory says, or shows; nothing when it does neither. Errors: kCorruption when the
/// record cannot be understood; kIo.
Result<std::optional<BlobSettings>> FindBlobPlace(const DataDirectory& directory);

/// Where that is, for people: `in ...`.
std::string DescribeBlobPlace(const BlobSettings& place);

/// The flags that lead to that place.
std::string BlobFlagsFor(const BlobSettings& place);

/// The settings with the names that they do not say: those of `place` if that is of the same kind,
/// else the default ones.
BlobSettings WithNamesOf(const std::optional<BlobSettings>& place, BlobSettings settings);

/// Whether both are the same buckets at the same kind of place. REQUIRES: both have their names.
bool IsSamePlace(const BlobSettings& left, const BlobSettings& right);

/// Refuses settings that look for the photos elsewhere. A directory from before there was such a
/// record has its photos in files if there are any, else wherever the settings say. Errors:
/// kValidation, saying which settings are right, and what to do if the photos were moved;
/// kCorruption when the record cannot be understood; kIo.
Status CheckBlobPlace(const DataDirectory& directory, const BlobSettings& settings);

/// Writes the record if there is none; on disk when it returns. To be called before the first photo
/// comes, and once the storage has answered. REQUIRES: CheckBlobPlace agrees; `place` has both
/// names.
Status RecordBlobPlace(const DataDirectory& directory, const BlobSettings& place);

/// Whether a folder or one below it has a file.
bool HoldsFiles(const std::string& folder);

}  // namespace tintype::cli
