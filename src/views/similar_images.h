#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "views/images.h"
#include "views/sources.h"

/// Images that look alike.
namespace tintype::views {

struct SimilarImage {
  ImageView view;
  int distance = 0;
};
struct SimilarImages {
  /// The nearest first.
  std::vector<SimilarImage> images;
  /// As contexts::catalog::SimilarHashes has it.
  bool complete = true;
};

/// What similar images are asked for.
struct SimilarRequest {
  std::string_view image_id;
  int distance = 0;  // 0 to contexts::catalog::kSimilarDistanceMax.
  size_t limit = 20;
};

/// The viewer's images that look like one of them, without that one and those in the trash. Empty
/// for an image without a hash. Errors: kNotFound when it is gone, in the trash, or another's.
Result<SimilarImages> FindSimilarImages(const Sources& sources, const Viewer& viewer,
                                        const SimilarRequest& request);

}  // namespace tintype::views
