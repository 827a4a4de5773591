#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// What the rules need to know of Unicode: no more than the scripts that they have words for.
namespace tintype::words {

/// How much of a text is looked at: what comes behind is as if it were not there.
inline constexpr size_t kTextBytesMax = size_t{1} << 20;

/// The beginning of a text, no longer than that, which ends with a whole character.
std::string_view Bounded(std::string_view text);

struct Decoded {
  char32_t character = 0;
  uint32_t bytes = 0;
};
/// The first character. A byte that begins none counts as one, U+FFFD. REQUIRES: !text.empty().
Decoded DecodeFirst(std::string_view text);

enum class Script : uint8_t {
  kLatin,
  kGreek,
  kCyrillic,
  kHebrew,
  kArabic,
  kDevanagari,
  kThai,
  kHan,
  kHiragana,
  kKatakana,
  kHangul,
  kOther,  ///< Letters of other scripts.
  kNone,   ///< No letter.
};
inline constexpr size_t kScripts = static_cast<size_t>(Script::kNone);

/// What a letter, or a mark on one, belongs to. Marks that fit several scripts are Latin.
Script ScriptOf(char32_t character);
/// Scripts that are written without blanks between words.
bool IsUnspaced(Script script);
bool IsBlank(char32_t character);

/// Of Latin, Greek and Cyrillic letters; others stay as they are.
char32_t ToLower(char32_t character);
/// Of a whole text. Bytes that are no character stay as they are.
std::string Lowered(std::string_view text);
/// Whether the first character is a capital letter.
bool BeginsUpper(std::string_view text);

void AppendUtf8(std::string& out, char32_t character);

}  // namespace tintype::words
