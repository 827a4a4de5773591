#pragma once

#include <cstdint>
#include <functional>
#include <vips/vips8>

#include "base/result.h"
#include "darkroom/imaging/pixels.h"

namespace tintype::darkroom {

/// What there is of the first picture of a WebP file that ends early. libvips reads whole files
/// alone.
struct TornWebp {
  /// 3 bands, or 4 with alpha. Grey where nothing was decoded.
  vips::VImage image;
  /// From the top, those that were decoded.
  int32_t rows_there = 0;
};

/// `check_size` is asked before any memory is taken for the pixels. Errors: its own; kCorrupt when
/// not even the size of the picture can be read. Throws what libvips throws.
Result<TornWebp> ReadTornWebp(int input, const std::function<Status(Dimensions)>& check_size);

}  // namespace tintype::darkroom
