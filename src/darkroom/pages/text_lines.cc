#include "darkroom/pages/text_lines.h"

#include <algorithm>
#include <iterator>

#include "darkroom/pages/unicode.h"

namespace tintype::darkroom::pages {
namespace {

// 0x80 to 0x9F of Windows-1252.
constexpr char32_t kWindows1252[] = {
    0x20AC,       kReplacement, 0x201A, 0x0192, 0x201E, 0x2026,       0x2020, 0x2021,
    0x02C6,       0x2030,       0x0160, 0x2039, 0x0152, kReplacement, 0x017D, kReplacement,
    kReplacement, 0x2018,       0x2019, 0x201C, 0x201D, 0x2022,       0x2013, 0x2014,
    0x02DC,       0x2122,       0x0161, 0x203A, 0x0153, kReplacement, 0x017E, 0x0178};
static_assert(std::size(kWindows1252) == 32);

std::u32string DecodeWindows1252(std::string_view bytes) {
  std::u32string characters;
  characters.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    characters.push_back(byte >= 0x80 && byte < 0xA0 ? kWindows1252[byte - 0x80] : byte);
  }
  return characters;
}

std::u32string DecodeUtf16File(std::string_view bytes, bool little_endian) {
  std::u16string units;
  units.reserve(bytes.size() / 2);
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    units.push_back(
        static_cast<char16_t>(little_endian ? second << 8 | first : first << 8 | second));
  }
  return DecodeUtf16(units);
}

std::u32string DecodeBytes(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    return DecodeUtf16File(bytes.substr(2), bytes[0] == '\xFF');
  }
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    bytes.remove_prefix(3);
  }
  std::u32string characters = DecodeUtf8(bytes);
  return characters.empty() ? DecodeWindows1252(bytes) : characters;
}

struct Range {
  char32_t first;
  char32_t last;
};

// Marks that are drawn on the character before them, and what is not drawn at all.
constexpr Range kZeroColumns[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},  {0x064B, 0x065F},
    {0x06D6, 0x06DC}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},  {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064},  {0x20D0, 0x20FF},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}};
constexpr Range kTwoColumns[] = {
    {0x1100, 0x115F}, {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},  {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},  {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

template <size_t kCount>
bool IsIn(const Range (&ranges)[kCount], char32_t character) {
  const auto* range =
      std::ranges::lower_bound(ranges, character, {}, [](const Range& r) { return r.last; });
  return range != std::end(ranges) && character >= range->first;
}

int32_t NextColumn(int32_t column, char32_t character) {
  return character == '\t' ? (column / kTabColumns + 1) * kTabColumns
                           : column + ColumnsOf(character);
}

/// How much of a text fits into a row, up to the end of its first line.
size_t FittingLength(std::u32string_view text) {
  int32_t column = 0;
  size_t after_space = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || text[i] == '\f') {
      return i;
    }
    const bool is_space = text[i] == ' ' || text[i] == '\t';
    column = NextColumn(column, text[i]);
    // A space that does not fit is not seen.
    if (column > kColumns && !is_space) {
      return after_space > 0 ? after_space : i;
    }
    after_space = is_space ? i + 1 : after_space;
  }
  return text.size();
}

}  // namespace

std::u32string DecodeText(std::string_view bytes) {
  std::u32string text = DecodeBytes(bytes);
  size_t kept = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_first_of_two = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    const bool ends_line = text[i] == '\r' || text[i] == 0x85 || text[i] == 0x2028;
    if (is_first_of_two || (i == 0 && text[i] == 0xFEFF)) {
      continue;
    }
    const bool stays = !IsControl(text[i]) || text[i] == '\t' || text[i] == '\n' || text[i] == '\f';
    text[kept++] = ends_line ? U'\n' : stays ? text[i] : U' ';
  }
  text.resize(kept);
  return text;
}

int32_t ColumnsOf(char32_t character) {
  if (character < 0x300) {
    return 1;
  }
  return IsIn(kZeroColumns, character) ? 0 : IsIn(kTwoColumns, character) ? 2 : 1;
}

std::optional<TextRow> TextRows::Next() {
  while (rest_.starts_with(U'\f')) {
    rest_.remove_prefix(1);
    ++page_;
    row_ = 0;
  }
  if (rest_.empty()) {
    return std::nullopt;
  }
  if (row_ == kLinesPerPage) {
    ++page_;
    row_ = 0;
  }
  TextRow row = {page_, row_++, rest_.substr(0, FittingLength(rest_)), false};
  rest_.remove_prefix(row.text.size());
  if (rest_.starts_with(U'\n')) {
    rest_.remove_prefix(1);
  } else {
    row.wrapped = !rest_.empty() && !rest_.starts_with(U'\f');
  }
  return row;
}

}  // namespace tintype::darkroom::pages
