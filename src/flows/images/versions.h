#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "contexts/catalog/image_version.h"

/// What flows that give an image another picture have in common.
namespace tintype::flows {

using Versions = std::vector<contexts::catalog::ImageVersion>;

/// Whether there may be one more edit, beside `queued` ones that jobs will make. Reverts do not
/// count: they keep no pictures. Errors: kLimitExceeded.
Status CheckEditsLeft(const Versions& versions, int64_t queued);

/// The reverts that go when another one comes, the oldest first, so that a revert is never refused
/// and their number has an end all the same. No picture goes with them, and nothing refers to them.
std::vector<int64_t> RevertsToForget(const contexts::catalog::Image& image,
                                     const Versions& versions);

/// The number that comes next.
int64_t NextRevision(const contexts::catalog::Image& image, const Versions& versions);

/// The version of that number if it is complete; null when there is none, as of 0.
const contexts::catalog::ImageVersion* FindVersion(const Versions& versions, int64_t revision);

/// The revision whose picture a list of operations on this image is about.
int64_t BaseOf(const contexts::catalog::Image& image, const Versions& versions);

/// Where the picture of a revision is kept in full size; of 0 that is the upload.
std::string FullKey(const std::string& image_id, int64_t revision, const Versions& versions);

/// The image as it is once that version is the current one. `processed_size` is that of its LARGE
/// rendition.
contexts::catalog::Image Revised(const contexts::catalog::Image& seen,
                                 const contexts::catalog::ImageVersion& version,
                                 int64_t processed_size, const std::string& public_url);

}  // namespace tintype::flows
