#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "words/characters.h"

namespace tintype::words {

/// A word, a number, or a single other character of a text. Places are counted in bytes and in
/// characters.
struct TextToken {
  enum class Kind : uint8_t {
    kWord,    ///< Letters, with digits, apostrophes and hyphens within.
    kNumber,  ///< Digits, with points and commas within.
    kMark,    ///< Anything else that is not blank: punctuation, symbols, damaged bytes.
  };
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t begin_character = 0;
  uint32_t end_character = 0;
  Kind kind = Kind::kMark;
  Script script = Script::kNone;  ///< Of a word.
  bool after_blank = false;
  bool after_gap = false;  ///< There is an empty line before it.

  bool is_word() const { return kind == Kind::kWord; }
  std::string_view In(std::string_view text) const { return text.substr(begin, end - begin); }
  /// Whether it is that one character, of ASCII.
  bool IsMark(std::string_view text, char mark) const {
    return kind == Kind::kMark && end - begin == 1 && text[begin] == mark;
  }
};

/// All tokens of a text, in order. A word of a script without blanks is a run of letters of that
/// script. Takes time and memory in proportion to the text: 20 bytes for a token. REQUIRES: the
/// text is Bounded.
std::vector<TextToken> Tokenize(std::string_view text);

/// Where a sentence ends: a mark such as a full stop.
bool EndsSentence(std::string_view mark);

}  // namespace tintype::words
