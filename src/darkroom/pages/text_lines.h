#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tintype::darkroom::pages {

/// The size of a text file's pages, which are A4.
inline constexpr int32_t kLinesPerPage = 60;
inline constexpr int32_t kColumns = 90;
inline constexpr int32_t kTabColumns = 8;
inline constexpr double kTextWidthPoints = 595.28;
inline constexpr double kTextHeightPoints = 841.89;

/// The characters of a text file: UTF-8, UTF-16 with a byte order mark, else Windows-1252, which
/// has all of Latin-1. Lines end with a line feed, whatever they end with in the file, and there is
/// no other control character but tab and form feed.
std::u32string DecodeText(std::string_view bytes);

/// How many columns a character takes: 0 for those that belong to the one before, 2 for those of
/// Chinese, Japanese and Korean.
int32_t ColumnsOf(char32_t character);

/// A line as it is drawn: a part of one that is too long for a page, too.
struct TextRow {
  /// From 0.
  int64_t page = 0;
  int32_t row = 0;
  std::u32string_view text;
  /// Whether the text goes on in the next row.
  bool wrapped = false;
};

/// Cuts a text into rows and pages: a page ends after kLinesPerPage rows, and where the text has a
/// form feed. Rows that are too long end after a space where there is one.
class TextRows {
 public:
  /// `text` is as DecodeText gives it, and outlives this.
  explicit TextRows(std::u32string_view text) : rest_(text) {}

  std::optional<TextRow> Next();

 private:
  std::u32string_view rest_;
  int64_t page_ = 0;
  int32_t row_ = 0;
};

}  // namespace tintype::darkroom::pages
