#pragma once

#include <cstdint>

#include "darkroom/imaging/pixels.h"

namespace tintype::darkroom {

/// One of the planes of a JPEG file, as it is decoded.
struct JpegPlane {
  Dimensions size;
  /// Samples for each pixel of the whole image: less than 1 for colours that are stored smaller,
  /// and when the image is decoded reduced.
  double density_across = 1;
  double density_down = 1;
  /// Rows that come at a time.
  int32_t batch = 0;
};

}  // namespace tintype::darkroom
