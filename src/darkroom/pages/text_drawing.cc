#include "darkroom/pages/text_drawing.h"

#include <ft2build.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "darkroom/pages/fonts.h"
#include FT_FREETYPE_H

namespace tintype::darkroom::pages {
namespace {

constexpr double kMarginPoints = 40;
constexpr double kColumnPoints = (kTextWidthPoints - 2 * kMarginPoints) / kColumns;
constexpr double kRowPoints = (kTextHeightPoints - 2 * kMarginPoints) / kLinesPerPage;
// Of DejaVu Sans Mono, which is nearly always there: its letters are as wide as a column.
constexpr double kFontPoints = kColumnPoints / 0.602;
constexpr uint8_t kBarGrey = 0xB0;
// Marks on one character; more of them only take time.
constexpr int kMarksMax = 8;

/// Where pixels go; what is outside is not drawn.
struct Canvas {
  std::vector<uint8_t> pixels;
  int32_t width;
  int32_t height;

  void Darken(int64_t x, int64_t y, uint8_t grey) {
    if (x >= 0 && x < width && y >= 0 && y < height) {
      uint8_t& pixel =
          pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
      pixel = std::min(pixel, grey);
    }
  }
};

/// A place for a character: its left end, its width, and where letters stand, in pixels.
struct Place {
  double left;
  double width;
  double baseline;
};

void DrawBar(Canvas& canvas, const Place& place, double font_pixels) {
  const auto left = static_cast<int64_t>(place.left + place.width * 0.1);
  const auto right = std::max(left + 1, static_cast<int64_t>(place.left + place.width * 0.9));
  const auto bottom = static_cast<int64_t>(place.baseline);
  const auto top = std::min(bottom - 1, static_cast<int64_t>(place.baseline - font_pixels * 0.5));
  for (int64_t y = top; y < bottom; ++y) {
    for (int64_t x = left; x < right; ++x) {
      canvas.Darken(x, y, kBarGrey);
    }
  }
}

void DrawShape(Canvas& canvas, const Place& place, const FT_GlyphSlotRec& shape) {
  const FT_Bitmap& bitmap = shape.bitmap;
  if (bitmap.pixel_mode != FT_PIXEL_MODE_GRAY) {
    return;
  }
  const double spare = place.width - static_cast<double>(shape.advance.x) / 64;
  const auto left = static_cast<int64_t>(std::lround(place.left + spare / 2)) + shape.bitmap_left;
  const auto top = static_cast<int64_t>(std::lround(place.baseline)) - shape.bitmap_top;
  for (unsigned y = 0; y < bitmap.rows; ++y) {
    const unsigned char* row = bitmap.buffer + static_cast<ptrdiff_t>(y) * bitmap.pitch;
    for (unsigned x = 0; x < bitmap.width; ++x) {
      canvas.Darken(left + x, top + y, static_cast<uint8_t>(255 - row[x]));
    }
  }
}

}  // namespace

/// The fonts of text, opened as they are needed.
class TextDrawing::Fonts {
 public:
  Fonts() : files_(FontsOfText()), faces_(files_.size()) {
    if (FT_Init_FreeType(&library_) != 0) {
      library_ = nullptr;
      files_.clear();
    }
  }
  ~Fonts() {
    if (library_ != nullptr) {
      FT_Done_FreeType(library_);  // With its faces.
    }
  }
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  /// The shape of a character, until the next is asked for; null when no font has one.
  const FT_GlyphSlotRec* Shape(char32_t character, double pixels) {
    for (size_t i = 0; i < files_.size(); ++i) {
      FT_Face face = Face(i);
      const FT_UInt glyph = face == nullptr ? 0 : FT_Get_Char_Index(face, character);
      if (glyph == 0) {
        continue;
      }
      const auto size = static_cast<FT_F26Dot6>(std::max(1.0, pixels) * 64);
      if (FT_Set_Char_Size(face, 0, size, 72, 72) == 0 &&
          FT_Load_Glyph(face, glyph, FT_LOAD_RENDER | FT_LOAD_NO_HINTING) == 0) {
        return face->glyph;
      }
    }
    return nullptr;
  }

 private:
  FT_Face Face(size_t i) {
    if (!faces_[i].has_value()) {
      FT_Face face = nullptr;
      const bool opened =
          FT_New_Face(library_, files_[i].path.c_str(), files_[i].index, &face) == 0;
      faces_[i] = opened ? face : nullptr;
    }
    return *faces_[i];
  }

  std::vector<FontFile> files_;
  std::vector<std::optional<FT_Face>> faces_;
  FT_Library library_ = nullptr;
};

TextDrawing::TextDrawing() : fonts_(std::make_unique<Fonts>()) {}
TextDrawing::~TextDrawing() = default;

std::vector<uint8_t> TextDrawing::Draw(const std::vector<TextRow>& rows, int32_t width,
                                       int32_t height) {
  const size_t size = static_cast<size_t>(width) * static_cast<size_t>(height);
  Canvas canvas = {std::vector<uint8_t>(size, 0xFF), width, height};
  const double scale = height / kTextHeightPoints;
  const double font_pixels = kFontPoints * scale;
  for (const TextRow& row : rows) {
    int32_t column = 0;
    int marks = 0;
    Place place = {0, 0, (kMarginPoints + kRowPoints * (row.row + 0.8)) * scale};
    for (const char32_t character : row.text) {
      if (character == '\t') {
        column = (column / kTabColumns + 1) * kTabColumns;
        continue;
      }
      const int32_t columns = ColumnsOf(character);
      marks = columns == 0 ? marks + 1 : 0;
      // A mark goes where the character before it is.
      if (columns > 0) {
        place.left = (kMarginPoints + kColumnPoints * column) * scale;
        place.width = kColumnPoints * columns * scale;
        column += columns;
      }
      if (character == ' ' || marks > kMarksMax) {
        continue;
      }
      if (const FT_GlyphSlotRec* shape = fonts_->Shape(character, font_pixels)) {
        DrawShape(canvas, place, *shape);
      } else if (columns > 0) {
        DrawBar(canvas, place, font_pixels);
      }
    }
  }
  return std::move(canvas.pixels);
}

}  // namespace tintype::darkroom::pages
