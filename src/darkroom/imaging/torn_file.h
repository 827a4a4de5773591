#pragma once

#include <cstdint>
#include <vips/vips8>

#include "darkroom/imaging/source_image.h"

namespace tintype::darkroom {

// What can be told of a file of which libvips decodes a part.

/// Whether the file is shorter than it says itself. `source` is its header. For formats that do not
/// say it: false.
bool EndsEarly(int input, const SourceImage& source);

/// How many rows can be decoded without a fault, from the top and in steps of kRowsAtOnce. The
/// image was opened strictly, and nothing was read of it yet.
int32_t CountRows(const vips::VImage& image);
inline constexpr int32_t kRowsAtOnce = 16;

}  // namespace tintype::darkroom
