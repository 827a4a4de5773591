#pragma once

#include <vips/vips8>

#include "darkroom/requests.h"

namespace tintype::darkroom {

/// To be called once, before any other: tells exiv2 to keep its warnings to itself.
void SilenceExiv2();

/// What the camera wrote, from the EXIF block that libvips found in the file's header; so exiv2
/// sees that block alone and none of its readers of whole files. `orientation` is 1 to 8. Never
/// fails: what cannot be read is left out.
Exif ReadExif(const vips::VImage& image, int orientation);

}  // namespace tintype::darkroom
