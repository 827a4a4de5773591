#include "darkroom/pages/page_size.h"

#include <algorithm>
#include <cmath>

#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/requests.h"

namespace tintype::darkroom::pages {

bool IsPageSize(double width_points, double height_points) {
  const auto is_side = [](double points) {
    return std::isfinite(points) && points > 0 && points <= kPagePointsMax;
  };
  return is_side(width_points) && is_side(height_points);
}

Result<PageSize> SizeOfPicture(double width_points, double height_points, int32_t longest_side,
                               const PixelLimits& limits) {
  if (!IsPageSize(width_points, height_points)) {
    return MakeFailure(FailureKind::kCorrupt, "The page has no size that makes sense");
  }
  PageSize size;
  const double scale = longest_side / std::max(width_points, height_points);
  const auto side = [&](double points) {
    return std::clamp(static_cast<int32_t>(std::lround(points * scale)), 1, longest_side);
  };
  size.width = width_points >= height_points ? longest_side : side(width_points);
  size.height = height_points >= width_points ? longest_side : side(height_points);
  size.scale_x = size.width / width_points;
  size.scale_y = size.height / height_points;
  if (int64_t{size.width} * size.height > limits.pixels_held_whole) {
    return MakeFailure(FailureKind::kTooLarge,
                       StrCat("The page would have ", size.width, " x ", size.height,
                              " pixels; at most ", limits.pixels_held_whole, " are allowed"));
  }
  return size;
}

}  // namespace tintype::darkroom::pages
