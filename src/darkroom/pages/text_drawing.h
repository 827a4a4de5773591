#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "darkroom/pages/text_lines.h"

namespace tintype::darkroom::pages {

/// Draws pages of text files: characters in columns, each with the first font that has a shape for
/// it, and a grey bar where none has. Letters are not joined, and all run from left to right. Made
/// once by the template; fonts are opened when a character needs them, and kept.
class TextDrawing {
 public:
  TextDrawing();
  ~TextDrawing();
  TextDrawing(const TextDrawing&) = delete;
  TextDrawing& operator=(const TextDrawing&) = delete;

  /// The rows of one page as grey pixels without space between rows, white where nothing is.
  std::vector<uint8_t> Draw(const std::vector<TextRow>& rows, int32_t width, int32_t height);

 private:
  class Fonts;

  std::unique_ptr<Fonts> fonts_;
};

}  // namespace tintype::darkroom::pages
