#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "tables/language/expressions/expressions.h"
#include "tables/language/expressions/path.h"
#include "tables/language/internal/lexer.h"

namespace tintype::tables::internal {

/// What the parsers of the expression kinds share: tokens, paths, placeholders, limits, and which
/// of several mistakes is reported.
///
/// DynamoDB first parses an expression and then walks it several times, each walk looking for one
/// class of mistake. A syntax error therefore hides a reserved word that stands before it, and a
/// reserved word hides an undefined placeholder. Here everything is found in one walk: a syntax
/// error ends it at once, other mistakes are noted, and the one that DynamoDB's walks would have
/// met first is reported at the end.
///
/// Views the text and the placeholders; lives for one parse.
class ExpressionParser {
 public:
  ExpressionParser(const ExpressionParser&) = delete;
  ExpressionParser& operator=(const ExpressionParser&) = delete;

 protected:
  /// Classes of mistakes, in the order in which they are reported.
  enum class Walk {
    kNames,         ///< Reserved words, function names, where functions stand.
    kSections,      ///< Clauses of an update that appear twice.
    kWrittenPaths,  ///< Undefined names in the paths that an update writes.
    kOverlaps,      ///< Paths in each other's way.
    kReadPaths,     ///< Undefined names elsewhere in an update.
    kOperands,      ///< Everything else.
  };

  ExpressionParser(std::string_view label, std::string_view text, Placeholders& placeholders)
      : label_(label), placeholders_(placeholders), lexer_(text) {}

  /// Checks that come before the text is looked at.
  static Status CheckText(std::string_view label, std::string_view text,
                          const Placeholders& placeholders);

  bool At(Token::Kind wanted) const { return kind() == wanted; }
  Token::Kind kind() const { return lexer_.current().kind; }
  bool NextIs(Token::Kind wanted) const { return lexer_.next().kind == wanted; }
  std::string_view text() const { return lexer_.TextOf(lexer_.current()); }
  size_t position() const { return lexer_.current().start; }
  void Advance() { lexer_.Advance(); }
  bool Accept(Token::Kind wanted);
  Status Expect(Token::Kind wanted);

  /// "Invalid UpdateExpression: " and the message.
  Error Invalid(std::string_view message) const;
  /// About the current token.
  Error SyntaxError() const { return Invalid(lexer_.SyntaxError()); }
  Error RedundantParentheses() const {
    return Invalid("The expression has redundant parentheses;");
  }

  /// Remembers a mistake. Within one walk the lowest `order` is reported, the first of equals.
  void Note(Walk walk, int64_t order, std::string message);
  /// For Walk::kNames, which goes through the text from left to right. `detail` tells mistakes
  /// about the same word apart.
  void NoteAt(size_t position, int detail, std::string message) {
    Note(Walk::kNames, static_cast<int64_t>(position) * 4 + detail, std::move(message));
  }
  /// For Walk::kOperands.
  void NoteOperand(std::string message) { Note(Walk::kOperands, order_, std::move(message)); }
  /// The mistake to report, if there was one.
  Status Outcome() const;

  /// Counts one operator or function against the limit.
  Status CountOperator();

  /// A document path, with placeholders replaced. An undefined one is noted for `walk`.
  Result<Path> ParsePath(Walk walk);
  /// Takes the value placeholder that is the current token. Null and noted when undefined.
  const Value* TakeValue();

  /// Bounds recursion: true while one more pair of parentheses may be opened. Every pair that is
  /// not redundant has an operator, a function or an operand of its own, so a deeper nesting than
  /// this cannot be valid.
  class Nesting {
   public:
    explicit Nesting(ExpressionParser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    bool too_deep() const;

   private:
    ExpressionParser& parser_;
  };

  /// Where the current action of an update stands among the noted mistakes; conditions leave it 0.
  void set_order(int64_t order) { order_ = order; }

 private:
  struct Mistake {
    Walk walk;
    int64_t order;
    std::string message;
  };

  Status ParseIndex(Path& path);
  void TakeName(Walk walk, Path& path);

  std::string_view label_;
  Placeholders& placeholders_;
  size_t value_bytes_ = 0;  // Of the values used so far.
  Lexer lexer_;
  std::optional<Mistake> mistake_;
  int64_t order_ = 0;
  int operators_ = 0;
  int depth_ = 0;
};

/// Fails if two of the paths are in each other's way; the message lacks the "Invalid ..." prefix.
std::optional<std::string> DescribeOverlap(const std::vector<const Path*>& paths);

/// Texts that several parsers use.
std::string IncorrectOperandType(std::string_view function, Type type);
std::string IncorrectOperandCount(std::string_view function, size_t count);
std::string PathRequired(std::string_view function);
std::string NotDistinct(std::string_view function, const Path& first);

}  // namespace tintype::tables::internal
