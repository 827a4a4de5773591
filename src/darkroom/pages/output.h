#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace tintype::darkroom::pages {

/// A drawn page: rows of pixels from its top, whose bytes are the caller's.
struct Drawing {
  uint8_t* pixels = nullptr;
  int32_t width = 0;
  int32_t height = 0;
  /// 1 for grey, 3 for red, green and blue.
  int channels = 1;
  size_t row_bytes = 0;
};

/// Writes a drawing as PNG and returns the number of bytes. One that has no colours becomes a grey
/// one; its pixels are not kept. Errors: kOutput.
Result<int64_t> WritePng(int output, Drawing drawing);

/// Replaces the content of the output. Errors: kOutput.
Result<int64_t> WriteText(int output, std::string_view text);

}  // namespace tintype::darkroom::pages
