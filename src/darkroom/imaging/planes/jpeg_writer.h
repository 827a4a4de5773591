#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "darkroom/imaging/planes/yuv_picture.h"

namespace tintype::darkroom {

/// A JPEG file (4:2:0, baseline) of a picture in the full range, without metadata. `quality` is 1
/// to 100. Fails for want of memory alone.
Result<std::string> EncodeJpeg(const YuvPicture& picture, int32_t quality);

}  // namespace tintype::darkroom
