#pragma once

#include <optional>

#include "darkroom/imaging/torn/torn_picture.h"

namespace tintype::darkroom {

/// A TIFF or BigTIFF file that ends within the pixels of its first picture, so that libvips reads
/// what there is of it. Nothing for a file that does not end there, and for one whose directory is
/// missing: without it nobody can tell what the bytes are. Reads the descriptor by position.
std::optional<MendedFile> MendTiff(int input);

}  // namespace tintype::darkroom
