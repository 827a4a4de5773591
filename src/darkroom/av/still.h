#pragma once

#include <string>

#include "darkroom/av/libav.h"
#include "darkroom/av/picture_filters.h"

namespace tintype::darkroom::av {

/// A picture of a stream, upright, in a size of which no side is longer than that, and in the
/// pixels that `purpose` wants. Takes what is in `frame`.
Result<Frame> RenderStill(AVFrame* frame, const AVStream* stream, int longest_side,
                          Purpose purpose);

/// A frame as a file. Its pixels are as Purpose has them for JPEG and WebP, RGB for PNG.
Result<std::string> EncodeJpeg(const AVFrame* frame);
Result<std::string> EncodeWebp(const AVFrame* frame);
Result<std::string> EncodePng(const AVFrame* frame);

}  // namespace tintype::darkroom::av
