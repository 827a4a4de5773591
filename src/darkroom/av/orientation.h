#pragma once

#include <string>

#include "darkroom/av/libav.h"

namespace tintype::darkroom::av {

struct PictureSize {
  int width = 0;
  int height = 0;
};

/// What the pictures of a stream have to be turned by to stand upright, clockwise, as the nearest
/// of 0, 90, 180 and 270.
int RotationOf(const AVStream* stream);

/// The filters that turn them, mirrored ones too; empty when they stand upright.
std::string UprightFilters(const AVStream* stream);

/// The size of pictures that are stored in `stored`, once they are upright and their pixels square.
PictureSize UprightSize(PictureSize stored, AVRational pixel_aspect, const AVStream* stream);

/// The largest of the same shape that has room within both bounds, in even numbers for 4:2:0; no
/// larger than it is.
PictureSize FitWithin(PictureSize size, int long_side, int short_side);

}  // namespace tintype::darkroom::av
