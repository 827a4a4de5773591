#include "flows/versions.h"

#include <algorithm>
#include <memory>

#include "base/rate_limited.h"
#include "base/strings.h"
#include "flows/media_keys.h"

namespace tintype::flows {

using contexts::catalog::Image;
using contexts::catalog::ImageVersion;
using contexts::catalog::OriginalPicture;

Status CheckVersionsLeft(const Versions& versions) {
  // Each is kept, an edit with all its sizes, for as long as the image is.
  constexpr size_t kVersionsMax = 100;
  constexpr int64_t kWaitS = 60;  // Only a version that is deleted makes room.
  if (versions.size() < kVersionsMax) {
    return OkStatus();
  }
  return Error::LimitExceeded(StrCat("An image has at most ", kVersionsMax,
                                     " versions, edits and reverts together. To go on from one of "
                                     "them, download it and upload it as a new image."))
      .WithDetail(std::make_shared<RateLimited>(kWaitS, "versions", kVersionsMax));
}

int64_t NextRevision(const Image& image, const Versions& versions) {
  int64_t last = image.revision;
  for (const ImageVersion& version : versions) {
    last = std::max(last, version.revision);
  }
  return last + 1;
}

const ImageVersion* FindVersion(const Versions& versions, int64_t revision) {
  const auto found = std::ranges::find_if(versions, [&](const ImageVersion& version) {
    return revision > 0 && version.revision == revision && version.completed;
  });
  return found == versions.end() ? nullptr : &*found;
}

int64_t BaseOf(const Image& image, const Versions& versions) {
  const ImageVersion* current = FindVersion(versions, image.revision);
  // What has no operations, as a result from outside, cannot be made again from anything else.
  return current != nullptr && current->base && current->operations ? *current->base
                                                                    : image.picture();
}

std::string FullKey(const std::string& image_id, int64_t revision, const Versions& versions) {
  const ImageVersion* version = FindVersion(versions, revision);
  // Versions from before there were bases lie where the original of their revision would.
  const bool is_full = version != nullptr && version->base;
  return StoredKey(image_id, revision, is_full ? Size::kFull : Size::kOriginal);
}

Image Revised(const Image& seen, const ImageVersion& version, int64_t processed_size,
              const std::string& public_url) {
  Image revised = seen;
  revised.revision = version.revision;
  revised.reverted_to = version.reverted_to;
  revised.width = version.width;
  revised.height = version.height;
  revised.aspect_ratio = version.height == 0 ? 0.0
                                             : static_cast<double>(version.width) /
                                                   static_cast<double>(version.height);
  revised.processed_size = processed_size;
  revised.appearance = version.appearance;
  revised.image_url = MediaUrl(public_url, seen.s3_key, version.picture());
  revised.thumbnail_url = MediaUrl(public_url, seen.thumbnail_key, version.picture());
  if (seen.picture() == 0) {
    revised.original = OriginalPicture{seen.width, seen.height, seen.appearance};
  }
  return revised;
}

}  // namespace tintype::flows
