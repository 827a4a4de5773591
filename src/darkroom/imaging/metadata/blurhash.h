#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tintype::darkroom {

/// Pixels of three bytes, red, green and blue, row by row. A view.
struct RgbPixels {
  std::span<const uint8_t> bytes;
  int width = 0;
  int height = 0;
};

/// A BlurHash: the picture in a few waves of colour, as a short text that a page can paint while
/// the picture itself is on its way. Of `across` x `down` waves, 1 to 9 each. Pure. REQUIRES: there
/// is a pixel.
std::string EncodeBlurhash(const RgbPixels& pixels, int across, int down);

}  // namespace tintype::darkroom
