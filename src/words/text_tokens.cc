#include "words/text_tokens.h"

#include <algorithm>
#include <array>

namespace tintype::words {
namespace {

bool IsAsciiDigit(char32_t c) { return c >= '0' && c <= '9'; }
bool IsApostrophe(char32_t c) { return c == '\'' || c == 0x2019; }

/// Walks over a text, character by character.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) { Look(); }

  bool done() const { return at_ >= text_.size(); }
  char32_t here() const { return here_.character; }
  /// The character behind this one; 0 at the end.
  char32_t next() const {
    const size_t next = at_ + here_.bytes;
    return next < text_.size() ? DecodeFirst(text_.substr(next)).character : 0;
  }
  void Step() {
    at_ += here_.bytes;
    ++character_;
    Look();
  }
  uint32_t at() const { return static_cast<uint32_t>(at_); }
  uint32_t character() const { return character_; }

 private:
  void Look() { here_ = done() ? Decoded{} : DecodeFirst(text_.substr(at_)); }

  std::string_view text_;
  size_t at_ = 0;
  uint32_t character_ = 0;
  Decoded here_;
};

void TakeNumber(Walk& walk) {
  while (!walk.done()) {
    const bool is_within = (walk.here() == '.' || walk.here() == ',') && IsAsciiDigit(walk.next());
    if (!IsAsciiDigit(walk.here()) && !is_within) {
      return;
    }
    walk.Step();
  }
}

void TakeRun(Walk& walk, Script script) {
  while (!walk.done() && ScriptOf(walk.here()) == script) {
    walk.Step();
  }
}

/// Whether a character goes on with a word that is written between blanks.
bool GoesOn(char32_t c) {
  const Script script = ScriptOf(c);
  return IsAsciiDigit(c) || (script != Script::kNone && !IsUnspaced(script));
}

void TakeWord(Walk& walk) {
  while (!walk.done()) {
    const bool joins = (IsApostrophe(walk.here()) || walk.here() == '-') && GoesOn(walk.next());
    if (!GoesOn(walk.here()) && !joins) {
      return;
    }
    walk.Step();
  }
}

}  // namespace

std::vector<TextToken> Tokenize(std::string_view text) {
  std::vector<TextToken> tokens;
  bool after_blank = true;
  int lines = 2;
  for (Walk walk(text); !walk.done();) {
    if (IsBlank(walk.here())) {
      after_blank = true;
      lines += walk.here() == '\n' ? 1 : 0;
      walk.Step();
      continue;
    }
    TextToken token;
    token.begin = walk.at();
    token.begin_character = walk.character();
    token.after_blank = after_blank;
    token.after_gap = lines >= 2;
    token.script = ScriptOf(walk.here());
    if (IsAsciiDigit(walk.here())) {
      token.kind = TextToken::Kind::kNumber;
      TakeNumber(walk);
    } else if (token.script == Script::kNone) {
      walk.Step();
    } else {
      token.kind = TextToken::Kind::kWord;
      if (IsUnspaced(token.script)) {
        TakeRun(walk, token.script);
      } else {
        TakeWord(walk);
      }
    }
    token.end = walk.at();
    token.end_character = walk.character();
    tokens.push_back(token);
    after_blank = false;
    lines = 0;
  }
  return tokens;
}

bool EndsSentence(std::string_view mark) {
  constexpr auto kEnds = std::to_array<std::string_view>(
      {".", "!", "?", "…", "。", "！", "？", "；", ";", "।", "؟", "۔"});
  return std::ranges::find(kEnds, mark) != kEnds.end();
}

}  // namespace tintype::words
