#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/language/internal/expression_parser.h"

namespace tintype::tables::internal {

/// Parses UpdateExpression.
class UpdateParser : private ExpressionParser {
 public:
  static Result<Update> Parse(std::string_view text, Placeholders& placeholders);

 private:
  struct Node {
    UpdateOperand operand;
    std::optional<Type> type;  // If the text tells.
    bool parenthesised = false;
  };

  UpdateParser(std::string_view text, Placeholders& placeholders)
      : ExpressionParser("UpdateExpression", text, placeholders) {}

  Result<Update> ParseAll();
  Status ParseClause();
  Status ParseAction(Token::Kind clause);
  Result<Node> ParseSum();
  Result<Node> ParseOperand();
  Result<Node> ParseOperandWithoutParentheses();
  Result<Node> ParseCall();
  Result<Node> ParseInParentheses(bool allow_sum);
  void CheckCall(UpdateOperand::Kind kind, std::string_view name, const std::vector<Node>& args);
  void CheckMembers(std::string_view clause, bool allow_number, const Value& value);
  void CheckOperandTypes(std::string_view name, Type wanted, const std::vector<Node>& nodes);

  Update update_;
  std::vector<Token::Kind> clauses_;
  // Each action in order of appearance: its clause, and its place in that clause's list.
  std::vector<std::pair<Token::Kind, size_t>> actions_;
};

}  // namespace tintype::tables::internal
