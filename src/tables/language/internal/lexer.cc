#include "tables/language/internal/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace tintype::tables::internal {
namespace {

using Kind = Token::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 9> kKeywords = {{
    {"and", Kind::kAnd},
    {"or", Kind::kOr},
    {"not", Kind::kNot},
    {"between", Kind::kBetween},
    {"in", Kind::kIn},
    {"set", Kind::kSet},
    {"remove", Kind::kRemove},
    {"add", Kind::kAdd},
    {"delete", Kind::kDelete},
}};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool EqualsIgnoringCase(std::string_view word, std::string_view lower) {
  // Setting the sixth bit makes an ASCII letter lower-case; what else it changes is in no keyword.
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return static_cast<char>(a | 0x20) == b; });
}

}  // namespace

bool IsWordCharacter(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }

Lexer::Lexer(std::string_view text) : text_(text) {
  current_ = Scan();
  next_ = Scan();
}

void Lexer::Advance() {
  previous_ = current_;
  current_ = next_;
  next_ = Scan();
}

std::string Lexer::SyntaxError() const {
  const bool at_end = current_.kind == Kind::kEnd;
  return StrCat("Syntax error; token: \"", at_end ? "<EOF>" : TextOf(current_), "\", near: \"",
                text_.substr(previous_.start, next_.end - previous_.start), '"');
}

Token Lexer::Scan() {
  while (position_ < text_.size() && IsSpace(text_[position_])) {
    ++position_;
  }
  Token token;
  token.start = position_;
  if (position_ < text_.size()) {
    const char c = text_[position_];
    token.kind = IsLetter(c) || c == '#' || c == ':' ? ScanWord() : ScanSymbol();
  }
  token.end = position_;
  return token;
}

Token::Kind Lexer::ScanWord() {
  const size_t start = position_++;
  while (position_ < text_.size() && IsWordCharacter(text_[position_])) {
    ++position_;
  }
  const std::string_view word = text_.substr(start, position_ - start);
  if (word[0] == '#' || word[0] == ':') {
    return word.size() == 1 ? Kind::kUnknown
           : word[0] == '#' ? Kind::kNamePlaceholder
                            : Kind::kValuePlaceholder;
  }
  for (const auto& [keyword, kind] : kKeywords) {
    if (EqualsIgnoringCase(word, keyword)) {
      return kind;
    }
  }
  return Kind::kIdentifier;
}

Token::Kind Lexer::ScanSymbol() {
  const char c = text_[position_++];
  const char after = position_ < text_.size() ? text_[position_] : '\0';
  const auto two = [this](Kind kind) {
    ++position_;
    return kind;
  };
  switch (c) {
    case '=':
      return Kind::kEqual;
    case '<':
      return after == '>'   ? two(Kind::kNotEqual)
             : after == '=' ? two(Kind::kLessOrEqual)
                            : Kind::kLess;
    case '>':
      return after == '=' ? two(Kind::kGreaterOrEqual) : Kind::kGreater;
    case '(':
      return Kind::kOpen;
    case ')':
      return Kind::kClose;
    case '[':
      return Kind::kOpenBracket;
    case ']':
      return Kind::kCloseBracket;
    case ',':
      return Kind::kComma;
    case '.':
      return Kind::kDot;
    case '+':
      return Kind::kPlus;
    case '-':
      return Kind::kMinus;
    default:
      break;
  }
  if (IsDigit(c)) {
    // A zero stands alone: `[01]` is a syntax error.
    while (c != '0' && position_ < text_.size() && IsDigit(text_[position_])) {
      ++position_;
    }
    return Kind::kInteger;
  }
  // The rest of a UTF-8 sequence belongs to its first byte, so that messages stay valid text.
  while (position_ < text_.size() &&
         (static_cast<unsigned char>(text_[position_]) & 0xC0) == 0x80) {
    ++position_;
  }
  return Kind::kUnknown;
}

}  // namespace tintype::tables::internal
