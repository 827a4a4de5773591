#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "tables/language/expressions/expressions.h"
#include "tables/language/internal/test_values.h"

/// For tests only: tables of expressions with what becomes of them, and DynamoDB's messages by
/// name.
namespace tintype::tables::internal {

struct ParseCase {
  std::string expression;
  std::string_view placeholders;
  std::string expected;  // The message after "Invalid ...Expression: ", or "ok".
};

using ParseFunction = std::string (*)(std::string_view, Placeholders&);

inline void CheckParse(std::string_view label, ParseFunction parse,
                       const std::vector<ParseCase>& cases) {
  for (const ParseCase& c : cases) {
    Placeholders placeholders = TestPlaceholders(c.placeholders);
    const std::string expected =
        c.expected == "ok" ? "ok" : StrCat("Invalid ", label, ": ", c.expected);
    EXPECT_EQ(parse(c.expression, placeholders), expected)
        << c.expression << " with " << c.placeholders;
  }
}

inline void CheckFilter(const std::vector<ParseCase>& cases) {
  CheckParse(
      "FilterExpression",
      [](std::string_view text, Placeholders& placeholders) {
        return Outcome(ParseFilterExpression(text, placeholders));
      },
      cases);
}

inline void CheckUpdate(const std::vector<ParseCase>& cases) {
  CheckParse(
      "UpdateExpression",
      [](std::string_view text, Placeholders& placeholders) {
        return Outcome(ParseUpdateExpression(text, placeholders));
      },
      cases);
}

inline void CheckProjection(const std::vector<ParseCase>& cases) {
  CheckParse(
      "ProjectionExpression",
      [](std::string_view text, Placeholders& placeholders) {
        return Outcome(ParseProjectionExpression(text, placeholders));
      },
      cases);
}

inline std::string Syntax(std::string_view token, std::string_view near) {
  return StrCat("Syntax error; token: \"", token, "\", near: \"", near, '"');
}
inline std::string Reserved(std::string_view word) {
  return StrCat("Attribute name is a reserved keyword; reserved keyword: ", word);
}
inline std::string UndefinedName(std::string_view name) {
  return StrCat(
      "An expression attribute name used in the document path is not defined; attribute name: ",
      name);
}
inline std::string UndefinedValue(std::string_view name) {
  return StrCat(
      "An expression attribute value used in expression is not defined; attribute value: ", name);
}
inline std::string BadFunction(std::string_view name) {
  return StrCat("Invalid function name; function: ", name);
}
inline std::string Misplaced(std::string_view name) {
  return StrCat("The function is not allowed to be used this way in an expression; function: ",
                name);
}
inline std::string Count(std::string_view name, int count) {
  return StrCat("Incorrect number of operands for operator or function; operator or function: ",
                name, ", number of operands: ", count);
}
inline std::string OperandType(std::string_view name, std::string_view type) {
  return StrCat("Incorrect operand type for operator or function; operator or function: ", name,
                ", operand type: ", type);
}
inline std::string NeedsPath(std::string_view name) {
  return StrCat("Operator or function requires a document path; operator or function: ", name);
}
inline std::string Same(std::string_view name, std::string_view path) {
  return StrCat(
      "The first operand must be distinct from the remaining operands for this operator or "
      "function; operator: ",
      name, ", first operand: ", path);
}
inline std::string Overlap(std::string_view one, std::string_view two) {
  return StrCat(
      "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
      "one: ",
      one, ", path two: ", two);
}
inline std::string Conflict(std::string_view one, std::string_view two) {
  return StrCat(
      "Two document paths conflict with each other; must remove or rewrite one of these paths; "
      "path one: ",
      one, ", path two: ", two);
}
inline constexpr char kRedundant[] = "The expression has redundant parentheses;";

}  // namespace tintype::tables::internal
