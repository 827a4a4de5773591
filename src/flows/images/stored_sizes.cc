#include "flows/images/stored_sizes.h"

#include "contexts/common/media_type.h"
#include "flows/images/develop.h"

namespace tintype::flows {

std::vector<Size> StoredSizes(const contexts::catalog::Image& image) {
  if (!image.has_picture()) {
    return {Size::kOriginal};
  }
  std::vector<Size> sizes = AllSizes();
  if (contexts::MediaTypeOf(image.mime_type) != "image") {
    sizes.push_back(Size::kPoster);
  }
  if (image.media.playback == contexts::catalog::Playback::kProxy) {
    sizes.push_back(Size::kProxy);
  }
  return sizes;
}

}  // namespace tintype::flows
