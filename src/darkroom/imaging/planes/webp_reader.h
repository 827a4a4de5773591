#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "darkroom/imaging/planes/yuv_picture.h"

namespace tintype::darkroom {

/// All bytes of a file, or none when there are more than a WebP file is read for here, or when they
/// cannot be read. By position.
std::vector<uint8_t> ReadWholeFile(int input);

/// The planes of a WebP file as they are stored, in the limited range. Nothing for files that have
/// none: those without loss, with transparency or with several frames; nor for damaged ones. Reads
/// the descriptor by position.
std::optional<YuvPicture> ReadWebpPlanes(int input);

}  // namespace tintype::darkroom
