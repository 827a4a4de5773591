#pragma once

#include <optional>

#include "darkroom/imaging/planes/yuv_picture.h"

namespace tintype::darkroom {

/// The planes of a WebP file as they are stored, in the limited range. Nothing for files that have
/// none: those without loss, with transparency or with several frames; nor for damaged ones. Reads
/// the descriptor by position.
std::optional<YuvPicture> ReadWebpPlanes(int input);

}  // namespace tintype::darkroom
