#pragma once

#include <functional>
#include <optional>
#include <variant>
#include <vips/vips8>

#include "base/result.h"
#include "darkroom/imaging/pixels.h"
#include "darkroom/imaging/planes/yuv_picture.h"
#include "darkroom/imaging/source_image.h"
#include "darkroom/limits.h"
#include "darkroom/requests.h"

namespace tintype::darkroom {

/// The picture of a file, upright, scaled and cut, in sRGB and in memory: as planes when they came
/// directly out of a JPEG file, else as libvips has it.
struct Picture {
  std::variant<YuvPicture, vips::VImage> pixels;
  Original original;
  ExifData exif;
};

/// Where the picture of an original goes that has this size, as it is looked at.
using PlacementOf = std::function<Placement(Dimensions)>;

/// Reads a file once, and of a damaged one what there is. Planes come in `range`; without one there
/// are none. Throws nothing.
Result<Picture> ReadPicture(int input, const PixelLimits& limits, const PlacementOf& place,
                            std::optional<Range> range);

/// The way of libvips, for any file. Throws what libvips throws.
vips::VImage ReadByVips(const SourceImage& source, const Placement& placement);

}  // namespace tintype::darkroom
