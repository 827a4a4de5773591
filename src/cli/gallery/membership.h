#pragma once

#include <optional>

#include "base/result.h"
#include "cli/settings/blob_settings.h"
#include "cli/settings/config.h"
#include "cli/settings/data_directory.h"
#include "cli/tables/tables.h"
#include "contexts/system/gallery_record.h"

/// Which gallery a data directory belongs to, and the names that it was made with. The tables have
/// the record (contexts/system/gallery_record.h), so that all nodes agree; the directory has its id
/// (`GALLERY`) and where the photos are (`BLOBS`). Tables of another gallery, or none, would make
/// the directory's photos and uploads look like leftovers of nothing.
namespace tintype::cli {

/// A gallery that this process may work on.
struct Membership {
  /// As the tables have them. `blobs` is what they have recorded so far.
  contexts::system::GalleryTerms terms;
  /// Where the photos are: the settings, with the names that they leave out.
  BlobSettings blobs;
};

/// Finds the gallery of the directory in the tables, or makes a new one in tables without any, with
/// the names that the settings say. A gallery from before there were records has the names that all
/// had then. Nothing is removed or upgraded, and a refusal changes nothing.
///
/// Errors: kValidation, with what to do, when the tables are another gallery's or nobody's, or the
/// settings name another stack, environment or place of photos; kCorruption.
Result<Membership> JoinGallery(const ServeConfig& config, const DataDirectory& directory,
                               Tables& tables);

/// Records in tables and directory what JoinGallery found, as far as it is not there. To be called
/// once the storage has answered and the directory's secret has opened the tables, and before the
/// first photo comes. Errors: kValidation when another node has just recorded another place.
Status RecordMembership(const Membership& membership, const ServeConfig& config,
                        const DataDirectory& directory, Tables& tables);

}  // namespace tintype::cli
