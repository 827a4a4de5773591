#pragma once

#include <optional>

#include "darkroom/imaging/torn/torn_picture.h"

namespace tintype::darkroom {

/// A HEIC or AVIF file that ends within the pieces that it holds, so that libheif decodes what
/// there is of its picture. A picture in tiles, as phones write it, has some of them whole; any
/// other is decoded to the place where it ends. Transparency of which a part is missing is left
/// out. Nothing for a file that does not end there, or that says behind its pixels where they are.
/// Reads the descriptor by position.
std::optional<MendedFile> MendHeif(int input);

}  // namespace tintype::darkroom
