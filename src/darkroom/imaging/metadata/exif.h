#pragma once

#include "darkroom/imaging/metadata/exif_tags.h"
#include "darkroom/requests.h"

namespace tintype::darkroom {

/// To be called once, before any other: tells exiv2 to keep its warnings to itself.
void SilenceExiv2();

/// What the camera wrote. `orientation`, 1 to 8, is what the image is turned by, which is not
/// always what the tags say. Never fails: what cannot be read or makes no sense is left out.
ExifData ReadExif(const ExifTags& tags, int orientation);

}  // namespace tintype::darkroom
