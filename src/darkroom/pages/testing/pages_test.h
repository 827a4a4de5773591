#pragma once

#include <gtest/gtest.h>
#include <png.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "darkroom/darkroom.h"
#include "darkroom/testing/memory_file.h"

namespace tintype::darkroom::pages {

inline constexpr char kPdf[] = "application/pdf";
inline constexpr char kPlain[] = "text/plain";
inline constexpr char kMarkdown[] = "text/markdown";

/// A drawn page, as another reader of PNG sees it.
struct DrawnPage {
  int32_t width = 0;
  int32_t height = 0;
  /// Whether the file has one number for each pixel.
  bool grey = false;
  std::string file;
  std::vector<uint8_t> rgb;

  const uint8_t* At(int32_t x, int32_t y) const {
    return &rgb[3 * (size_t(y) * size_t(width) + size_t(x))];
  }
  /// How many pixels of a part of the page are darker than medium grey; the part is given in
  /// thousandths of its width and height.
  int64_t DarkIn(int32_t left, int32_t top, int32_t right, int32_t bottom) const;
  int64_t Dark() const { return DarkIn(0, 0, 1000, 1000); }
};

/// Tests of the real helper, through the server's side of it.
class PagesTest : public testing::Test {
 protected:
  static Config HelperConfig();

  static Result<DocumentProbe> Probe(Darkroom& darkroom, std::string_view file,
                                     const std::string& media_type = kPdf);
  static Result<DrawnPage> Draw(Darkroom& darkroom, std::string_view file, int32_t page = 0,
                                int32_t longest_side = 800, const std::string& media_type = kPdf);
  struct ReadText {
    std::string text;
    int32_t pages = 0;
    bool complete = false;
  };
  static Result<ReadText> Text(Darkroom& darkroom, std::string_view file, int32_t pages_max = 500,
                               const std::string& media_type = kPdf);

  Darkroom darkroom_{HelperConfig()};
};

}  // namespace tintype::darkroom::pages
