#pragma once

#include <string>
#include <string_view>

namespace tintype::tables::internal {

struct Token {
  enum class Kind {
    kEnd,
    kUnknown,  ///< A character that no expression has.
    kIdentifier,
    kNamePlaceholder,   ///< `#name`
    kValuePlaceholder,  ///< `:name`
    kInteger,
    kAnd,
    kOr,
    kNot,
    kBetween,
    kIn,
    kSet,
    kRemove,
    kAdd,
    kDelete,
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kOpen,
    kClose,
    kOpenBracket,
    kCloseBracket,
    kComma,
    kDot,
    kPlus,
    kMinus,
  };
  Kind kind = Kind::kEnd;
  size_t start = 0;
  size_t end = 0;
};

/// Splits an expression into tokens as it is read, and keeps the tokens before and after the
/// current one: the grammar needs one of lookahead, and DynamoDB's syntax errors show all three.
/// Views the text that it is given; not thread-safe.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& current() const { return current_; }
  const Token& next() const { return next_; }
  std::string_view TextOf(const Token& token) const {
    return text_.substr(token.start, token.end - token.start);
  }
  void Advance();

  /// `Syntax error; token: "b", near: "a b c"`, about the current token.
  std::string SyntaxError() const;

 private:
  Token Scan();
  Token::Kind ScanWord();
  Token::Kind ScanSymbol();

  std::string_view text_;
  size_t position_ = 0;
  Token previous_;
  Token current_;
  Token next_;
};

/// Letters, digits and underscores.
bool IsWordCharacter(char c);

}  // namespace tintype::tables::internal
