#pragma once

#include <string>

namespace tintype::darkroom {

/// The EXIF block of a PNG file, its chunk `eXIf`, which libvips 8.14 does not read. Empty when
/// there is none. Looks at the heads of chunks alone.
std::string ReadPngExif(int input);

}  // namespace tintype::darkroom
