#pragma once

#include <cstdint>
#include <vips/vips8>

#include "darkroom/imaging/source_image.h"

namespace tintype::darkroom {

// What can be told of a file of which libvips decodes a part.

/// Whether the file is shorter than it says itself. `source` is its header, read for what there is.
bool EndsEarly(int input, const SourceImage& source);

/// Whether a GIF file has no end mark. One that lacks later pictures alone is decoded like any
/// other.
bool GifEndsEarly(int input);

/// Of the first picture of a torn GIF file, how many rows there are, in whichever order they came.
/// libvips leaves the others transparent.
int32_t CountRowsShown(const vips::VImage& image);

/// How many rows can be decoded without a fault, from the top and in steps of kRowsAtOnce. The
/// image was opened strictly, and nothing was read of it yet.
int32_t CountRows(const vips::VImage& image);
inline constexpr int32_t kRowsAtOnce = 16;

}  // namespace tintype::darkroom
