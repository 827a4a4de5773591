#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "flows/media_keys.h"
#include "flows/product.h"

namespace tintype::pipeline {

/// A picture that analyzers look at, WebP.
struct PictureToSee {
  int descriptor = -1;
  /// When it is seen, of a picture out of a video.
  std::optional<int64_t> time_ms;
};

/// Whether a medium has its pictures out of a video.
bool HasFrames(const contexts::catalog::Image& image);

/// Calls `see` with what there is to look at of a medium: the rendition of that size of an image,
/// and the stored pictures out of a video, in their order. The first error of `see` ends it. Errors
/// also: kNotFound when it was deleted; kCorruption.
Status ForEachPicture(flows::Product& product, const contexts::catalog::Image& image,
                      flows::Size size, const std::function<Status(const PictureToSee&)>& see);

}  // namespace tintype::pipeline
