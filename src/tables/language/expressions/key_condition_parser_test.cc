#include <gtest/gtest.h>

#include "base/strings.h"
#include "tables/language/expressions/expressions.h"
#include "tables/language/internal/test_expressions.h"

namespace tintype::tables {
namespace {

using internal::kRedundant;
using internal::OperandType;
using internal::Reserved;
using internal::Syntax;
using internal::TestPlaceholders;
using internal::ToTestText;

// Key conditions in a readable form: attribute, operator, values.
std::string KeyConditionText(std::string_view text, std::string_view placeholder_text) {
  Placeholders placeholders = TestPlaceholders(placeholder_text);
  const Result<KeyCondition> condition = ParseKeyConditionExpression(text, placeholders);
  if (!condition.ok()) {
    return condition.error().message();
  }
  constexpr std::string_view kOperators[] = {"=", "<", "<=", ">", ">=", "between", "begins"};
  std::string out;
  for (const KeyCondition::Term& term : condition->terms) {
    StrAppend(out, out.empty() ? "" : "; ", term.attribute, ' ',
              kOperators[static_cast<size_t>(term.op)]);
    for (const Value& value : term.values) {
      StrAppend(out, ' ', ToTestText(value.view()));
    }
  }
  return out;
}

// Parentheses, reversed comparisons, and up to eight attributes.
TEST(KeyConditionTest, Accepts) {
  const struct {
    std::string_view expression;
    std::string_view placeholders;
    std::string_view expected;
  } cases[] = {
      {"pk = :v", "{$v: 1}", "pk = 1"},
      {"(#pk = :v) AND (#sk = :w)", "{#pk: 'pk', #sk: 'sk', $v: 1, $w: 2}", "pk = 1; sk = 2"},
      {"(pk = :v AND (sk < :w))", "{$v: 1, $w: 2}", "pk = 1; sk < 2"},
      {"sk >= :w AND pk = :v", "{$v: 1, $w: 2}", "sk >= 2; pk = 1"},
      {":v = pk AND :w < sk", "{$v: 1, $w: 2}", "pk = 1; sk > 2"},
      {":v = pk AND :w >= sk", "{$v: 1, $w: 2}", "pk = 1; sk <= 2"},
      {":w <= sk", "{$w: 2}", "sk >= 2"},
      {":w > sk", "{$w: 2}", "sk < 2"},
      {"pk = :v AND sk BETWEEN :a AND :b", "{$v: 1, $a: 2, $b: 3}", "pk = 1; sk between 2 3"},
      {"pk = :v and begins_with(sk, :p)", "{$v: 1, $p: 'x'}", "pk = 1; sk begins 'x'"},
      {"a=:v AND b=:v AND c=:v AND d=:v AND e=:v AND f=:v AND g=:v AND h>:v", "{$v: 1}",
       "a = 1; b = 1; c = 1; d = 1; e = 1; f = 1; g = 1; h > 1"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(KeyConditionText(c.expression, c.placeholders), c.expected) << c.expression;
  }
}

// What a condition may have and a key condition may not.
TEST(KeyConditionTest, Refuses) {
  const auto op = [](std::string_view name) {
    return StrCat(
        "Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: ", name);
  };
  const auto first = [](std::string_view name) {
    return StrCat("Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: ",
                  name, " operator must have the key attribute as its first operand");
  };
  const std::string nested_operation =
      "Invalid KeyConditionExpression: KeyConditionExpressions cannot contain nested operations";
  const std::string nested_attribute =
      "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested "
      "attributes";
  const std::string several =
      "Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: Multiple "
      "attribute names used in one condition";
  const std::string none =
      "Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: No key "
      "attribute specified";
  const std::string twice =
      "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per "
      "key";
  const struct {
    std::string_view expression;
    std::string_view placeholders;
    std::string expected;
  } cases[] = {
      {"a > b and size(b) > c or a > c", "{}", op("OR")},
      {"a in (b, size(c), d)", "{}", op("IN")},
      {"attribute_exists(a)", "{}", op("attribute_exists")},
      {"attribute_not_exists(a)", "{}", op("attribute_not_exists")},
      {"attribute_type(a, :a)", "{$a: 'S'}", op("attribute_type")},
      {"contains(a.d, b)", "{}", op("contains")},
      {"not a > b", "{}", op("NOT")},
      {"a <> b", "{}", op("<>")},
      {":a between size(b) and size(a) and b > :b", "{$a: '1', $b: '1'}", first("BETWEEN")},
      {"begins_with(:a, b) and a > :b", "{$a: '1', $b: '1'}", first("begins_with")},
      {"size(b) > a AND a.b > b AND b > c", "{}", nested_operation},
      {"a > size(b.d)", "{}", nested_operation},
      {"a > size(:v)", "{$v: 'x'}", nested_operation},
      {"a between size(b) and size(a)", "{}", nested_operation},
      {"b > a.b", "{}", several},
      {"b between c[1] and d", "{}", several},
      {"begins_with(a, b)", "{}", several},
      {"b.d > a AND c.d > e.f", "{}", nested_attribute},
      {"b[0] > a", "{}", nested_attribute},
      {":b > :a AND a < :b", "{$a: 1, $b: 1}", none},
      {":a > b AND :a < :b", "{$a: 1, $b: 1}", none},
      {"b > :a AND b < :a and c = :a and d = :a", "{$a: 1}", twice},
      {"(a > :a and b > :a) and (b > :a and c > :a)", "{$a: 1}", twice},
      {"", "{}", "Invalid KeyConditionExpression: The expression can not be empty;"},
      {"((pk = :v))", "{$v: 1}", "Invalid KeyConditionExpression: " + std::string(kRedundant)},
      {"pk = :v AND begins_with(sk, :n)", "{$v: 1, $n: 3}",
       "Invalid KeyConditionExpression: " + OperandType("begins_with", "N")},
      {"pk=:v AND c!=:v", "{$v: 1}", "Invalid KeyConditionExpression: " + Syntax("!", "c!=")},
      {"name = :v", "{$v: 1}", "Invalid KeyConditionExpression: " + Reserved("name")},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(KeyConditionText(c.expression, c.placeholders), c.expected) << c.expression;
  }
}

}  // namespace
}  // namespace tintype::tables
