#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tables/language/internal/expression_parser.h"

namespace tintype::tables::internal {

/// Parses ConditionExpression, FilterExpression and KeyConditionExpression, which share a grammar.
class ConditionParser : private ExpressionParser {
 public:
  struct Parsed {
    Condition condition;
    /// Key conditions must not have size(), which may be folded away in the condition.
    bool has_size = false;
  };
  static Result<Parsed> Parse(std::string_view label, std::string_view text,
                              Placeholders& placeholders);

 private:
  // Something that may turn out to be an operand or a condition: which of the two a parenthesis
  // holds is known only after it is read.
  struct Node {
    enum class Shape { kPath, kValue, kSize, kCall, kCondition };
    Shape shape = Shape::kCondition;
    bool parenthesised = false;
    Operand operand;            // kPath, kValue (the value missing if undefined), kSize.
    Condition condition;        // kCall, kCondition.
    std::optional<Type> type;   // Of the operand, if the text tells.
    std::string_view function;  // kSize, kCall.
    size_t position = 0;        // Of the function's name.
  };

  ConditionParser(std::string_view label, std::string_view text, Placeholders& placeholders)
      : ExpressionParser(label, text, placeholders) {}

  Result<Parsed> ParseAll();
  Result<Node> ParseOr();
  Result<Node> ParseAnd();
  Result<Node> ParseNot();
  Result<Node> ParseComparison();
  Result<Node> ParseGroup();
  Result<Node> ParseOperand();
  using ParseFunction = Result<Node> (ConditionParser::*)();
  Result<Node> ParseParenthesised(ParseFunction parse_inner);
  Result<Node> ParseOperandWithoutParentheses();
  Result<Node> ParseCall();
  Result<Node> ParseCompare(Node left);
  Result<Node> ParseBetween(Node left);
  Result<Node> ParseIn(Node left);

  Status RequireCondition(const Node& node);
  void RequireOperand(const Node& node);
  void NoteMisplaced(const Node& node);
  Node BuildSize(Node arg);
  Node BuildCall(Condition::Kind kind, std::vector<Node> args);
  void CheckCall(Condition::Kind kind, std::string_view name, const std::vector<Node>& args);
  void CheckTypeName(const Node& type_name);
  void CheckDistinct(std::string_view name, const std::vector<Node>& nodes);
  void CheckOrdered(std::string_view name, const std::vector<Node>& nodes);
  void CheckBounds(const Node& low, const Node& high);

  bool has_size_ = false;
};

}  // namespace tintype::tables::internal
