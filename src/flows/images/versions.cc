#include "flows/images/versions.h"

#include <algorithm>
#include <memory>

#include "base/rate_limited.h"
#include "base/strings.h"
#include "flows/media_keys.h"

namespace tintype::flows {

using contexts::catalog::Image;
using contexts::catalog::ImageVersion;
using contexts::catalog::OriginalPicture;

Status CheckEditsLeft(const Versions& versions, int64_t queued) {
  // Each is kept, with all its sizes, for as long as the image is.
  constexpr int64_t kEditsMax = 100;
  constexpr int64_t kWaitS = 60;  // Only a version that is deleted makes room.
  const auto edits = std::ranges::count_if(
      versions, [](const ImageVersion& version) { return !version.reverted_to; });
  if (edits + queued < kEditsMax) {
    return OkStatus();
  }
  return Error::LimitExceeded(StrCat("An image has at most ", kEditsMax,
                                     " edits. Each of them, and the upload, can be brought back. "
                                     "To go on from one, download it and upload it as a new "
                                     "image."))
      .WithDetail(std::make_shared<RateLimited>(kWaitS, "versions", kEditsMax));
}

std::vector<int64_t> RevertsToForget(const Image& image, const Versions& versions) {
  constexpr size_t kRevertsMax = 100;  // With the one that is to come.
  std::vector<int64_t> reverts;
  for (const ImageVersion& version : versions) {
    if (version.reverted_to && version.revision != image.revision) {
      reverts.push_back(version.revision);
    }
  }
  std::ranges::sort(reverts);
  // The current one stays too: readers of the image look for it.
  const size_t kept = kRevertsMax - (image.reverted_to ? 2 : 1);
  reverts.resize(reverts.size() > kept ? reverts.size() - kept : 0);
  return reverts;
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
  // A version without operations, as a result from outside, cannot be made again from anything
  // else.
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
