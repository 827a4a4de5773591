#pragma once

#include <cstdint>

#include "base/result.h"
#include "darkroom/limits.h"

namespace tintype::darkroom::pages {

struct PageSize {
  int32_t width = 0;
  int32_t height = 0;
  /// Pixels for each point: not quite the same, so that the page fills the picture.
  double scale_x = 0;
  double scale_y = 0;
};

/// The size of the picture of a page that has so many points, whose longest side is given.
/// Errors: kCorrupt for a page without a size that makes sense, kTooLarge for more pixels than may
/// be held.
Result<PageSize> SizeOfPicture(double width_points, double height_points, int32_t longest_side,
                               const PixelLimits& limits);

/// Whether a page can have such a size.
bool IsPageSize(double width_points, double height_points);

}  // namespace tintype::darkroom::pages
