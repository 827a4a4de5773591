#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "flows/scrub/run.h"

/// Looks at records one by one, whatever image they are about. Each goes on from a place.
namespace tintype::flows::scrub {

// orphan_checks.cc: records of images that do not exist.
Status CheckPhotoOwners(Run& run, const Place& place);
Status CheckSparksOwners(Run& run, const Place& place);
Status CheckIngestOwners(Run& run, const Place& place);
Status CheckAnalysisOwners(Run& run, const Place& place);
Status CheckVersionOwners(Run& run, const Place& place);
Status CheckLookOwners(Run& run, const Place& place);
// posting_checks.cc: postings of images that do not exist, or are not what they say.
Status CheckTags(Run& run, const Place& place);
Status CheckTrash(Run& run, const Place& place);
Status CheckChecksums(Run& run, const Place& place);
// upload_checks.cc: uploads on their way, and what they take from limits.
Status CheckUploads(Run& run, const Place& place);
Status CheckSpool(Run& run, const Place& place);
Status CheckLimits(Run& run, const Place& place);
// picture_checks.cc: profile pictures, and the copies of profiles.
Status CheckProfiles(Run& run, const Place& place);
/// Whose profile picture a stored file is, if it is anybody's.
Status CheckPictureBlob(Run& run, const std::string& key, const std::string& owner);
// stored_blob_checks.cc: files of images that do not exist.
Status CheckImagesBucket(Run& run, const Place& place);
Status CheckUploadsBucket(Run& run, const Place& place);

/// A record of an image that does not exist.
Finding Orphan(const std::string& id, std::string_view what);

}  // namespace tintype::flows::scrub
