#pragma once

#include <string>
#include <vips/vips8>

namespace tintype::darkroom {

/// A HEIC file as phones write it: a picture in tiles of 128 x 128 pixels, each coded by itself,
/// one after the other, and turned by so many quarters of a circle against the clock when it is
/// shown.
std::string HeicGrid(const vips::VImage& picture, int quarter_turns = 0);

/// Where in such a file a tile begins.
size_t TileAt(const std::string& heic, int tile);

}  // namespace tintype::darkroom
