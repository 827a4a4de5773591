#pragma once

#include <cstdint>
#include <optional>
#include <vips/vips8>

#include "base/result.h"
#include "darkroom/imaging/planes/yuv_picture.h"
#include "darkroom/requests.h"

namespace tintype::darkroom {

struct Encoding {
  OutputFormat format = OutputFormat::kWebp;
  int32_t quality = 85;
  /// Of WebP and AVIF, 0 to 6.
  int32_t effort = 4;
};

/// Encodes an image without its metadata and writes it in place of what the output held. Answers
/// the number of bytes. Fails with kOutput when they cannot be written, with kTooLarge when the
/// format has no such size. Throws what libvips throws.
Result<int64_t> WriteImage(const vips::VImage& image, const Encoding& encoding, int output);

/// The range in which the encoder of a format wants a picture; nothing when it takes none.
std::optional<Range> RangeFor(OutputFormat format);
/// The same of a picture in that range.
Result<int64_t> WriteImage(const YuvPicture& picture, const Encoding& encoding, int output);

}  // namespace tintype::darkroom
