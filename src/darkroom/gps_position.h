#pragma once

#include <optional>

namespace tintype::darkroom {

/// Where a photo was taken, in degrees north and east and metres above the sea; negative to the
/// south, to the west and below.
struct GpsPosition {
  double latitude = 0;
  double longitude = 0;
  std::optional<double> altitude;
};
inline constexpr double kAltitudeMax = 100'000;

}  // namespace tintype::darkroom
