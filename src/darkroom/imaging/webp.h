#pragma once

#include <cstdint>
#include <string>
#include <vips/vips8>

#include "base/result.h"
#include "darkroom/imaging/planes/yuv_picture.h"

namespace tintype::darkroom {

/// How to encode a WebP file.
struct WebpEncoding {
  /// 1 to 100.
  int32_t quality = 85;
  /// 0 to 6.
  int32_t effort = 4;
};

/// A WebP file of an image in sRGB with 8 bits a band, 3 bands or 4 with alpha, and not a byte of
/// metadata.
///
/// By libwebp itself: the encoder of libvips 8.14 writes EXIF and XMP even when it is told to strip
/// them, and with them the place of a photo. Throws what libvips throws.
Result<std::string> EncodeWebp(const vips::VImage& image, const WebpEncoding& encoding);

/// The same of a picture in the limited range, which is encoded as it is.
Result<std::string> EncodeWebp(const YuvPicture& picture, const WebpEncoding& encoding);

}  // namespace tintype::darkroom
