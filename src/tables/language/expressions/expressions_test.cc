#include <gtest/gtest.h>

#include "base/strings.h"
#include "tables/language/expressions/expressions.h"
#include "tables/language/internal/test_expressions.h"

namespace tintype::tables {
namespace {

using internal::CheckFilter;
using internal::CheckProjection;
using internal::CheckUpdate;
using internal::Conflict;
using internal::kRedundant;
using internal::Outcome;
using internal::Overlap;
using internal::Reserved;
using internal::Syntax;
using internal::TestPlaceholders;
using internal::UndefinedName;

// 4,096 bytes are the most, and none is too few.
TEST(LimitsTest, ExpressionSize) {
  const auto padded = [](size_t size) { return "a = :v" + std::string(size - 6, ' '); };
  CheckFilter({
      {"", "{}", "The expression can not be empty;"},
      {padded(4096), "{$v: 1}", "ok"},
      {padded(4097), "{$v: 1}",
       "Expression size has exceeded the maximum allowed size; expression size: 4097"},
  });
  CheckUpdate({{"", "{}", "The expression can not be empty;"}});
  CheckProjection({
      {"", "{}", "The expression can not be empty;"},
      {"a" + std::string(4096, ' '), "{}",
       "Expression size has exceeded the maximum allowed size; expression size: 4097"},
  });
}

// 300 operators and functions are the most; DynamoDB counts no further than 301.
TEST(LimitsTest, Operators) {
  // Each further term is a comparator and an AND.
  const auto chain = [](int terms) {
    std::string text = "a=:v";
    for (int i = 1; i < terms; ++i) {
      text += " OR a=:v";
    }
    return text;
  };
  constexpr char kTooMany[] = "The expression contains too many operators; operator count: 301";
  CheckFilter({
      {chain(150), "{$v: 1}", "ok"},  // 299 operators.
      {"NOT " + chain(150), "{$v: 1}", "ok"},
      {"NOT NOT " + chain(150), "{$v: 1}", kTooMany},
      {chain(400), "{$v: 1}", kTooMany},
  });
  std::string sums = "SET ";
  for (int i = 0; i < 301; ++i) {
    sums += StrCat(i == 0 ? "" : ",", "x", i, "=:v+:v");
  }
  CheckUpdate({{sums, "{$v: 1}", kTooMany}});
}

// 100 operands of one IN are the most; they do not count as operators.
TEST(LimitsTest, InOperands) {
  const auto in = [](int count) {
    std::string text = "a IN (:v";
    for (int i = 1; i < count; ++i) {
      text += ",:v";
    }
    return text + ")";
  };
  CheckFilter({
      {in(100), "{$v: 1}", "ok"},
      {in(101), "{$v: 1}",
       "The IN operator is provided with too many operands; number of operands: 101"},
      {in(100) + " OR " + in(100) + " OR " + in(100) + " OR " + in(100), "{$v: 1}", "ok"},
  });
}

// 32 steps, and indexes of 31 bits.
TEST(LimitsTest, PathsAndIndexes) {
  const auto nested = [](int levels) {
    std::string text = "a";
    for (int i = 1; i < levels; ++i) {
      text += ".b";
    }
    return text;
  };
  CheckProjection({
      {nested(32), "{}", "ok"},
      {nested(33), "{}", "The document path has too many nesting levels; nesting levels: 33"},
      {"l[2147483647]", "{}", "ok"},
      {"l[2147483648]", "{}", "List index is not within the allowable range; index: [2147483648]"},
      {"l[99999999999999999999]", "{}",
       "List index is not within the allowable range; index: [99999999999999999999]"},
  });
}

// The parser recurses, so hostile nesting must end before the stack does.
TEST(LimitsTest, DeepNesting) {
  const auto repeat = [](std::string_view part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) {
      text += part;
    }
    return text;
  };
  std::string left_deep = "a=:v";
  for (int i = 0; i < 150; ++i) {
    left_deep.insert(0, "(").append(") OR a=:v");
  }
  constexpr char kTooMany[] = "The expression contains too many operators; operator count: 301";
  CheckFilter({
      {repeat("(", 4096), "{}", kRedundant},
      {repeat("(", 2000) + "a=:v" + repeat(")", 2000), "{$v: 1}", kRedundant},
      {"a = " + repeat("(", 4000), "{}", kRedundant},
      {repeat("NOT ", 1000) + "a=:v", "{$v: 1}", kTooMany},
      {repeat("NOT(", 299) + "a=:v" + repeat(")", 299), "{$v: 1}", "ok"},
      {repeat("size(", 800) + "a", "{}", kTooMany},
      {left_deep.substr(1, left_deep.rfind(')') - 1), "{$v: 1}", "ok"},
  });
  CheckUpdate({
      {"SET a = " + repeat("(", 4000), "{}", kRedundant},
      {"SET a = " + repeat("f(", 2000), "{}", kTooMany},
  });
}

// Syntax, names and overlaps of projections.
TEST(ProjectionSyntaxTest, Errors) {
  CheckProjection({
      {"!!INVALID!!", "{}", Syntax("!", "!!")},
      {"whatever(stuff)", "{}", Syntax("(", "whatever(stuff")},
      {":a", "{}", Syntax(":a", ":a")},
      {"abort,", "{}", Syntax("<EOF>", ",")},
      {"a,,b", "{}", Syntax(",", ",,b")},
      {"a..b", "{}", Syntax(".", "..b")},
      {"a[b]", "{}", Syntax("b", "[b]")},
      {"(a)", "{}", Syntax("(", "(a")},
      {"a-b", "{}", Syntax("-", "a-b")},
      {"a b", "{}", Syntax("b", "a b")},
      {"a.", "{}", Syntax("<EOF>", ".")},
      {"[0]", "{}", Syntax("[", "[0")},
      {"a.abORt", "{}", Reserved("abORt")},
      {"#a,ABSoLUTE", "{}", Reserved("ABSoLUTE")},
      {"a,b,a,#a", "{}", UndefinedName("#a")},
      {"b[1], b.a, #a.b, a", "{#a: 'a'}", Overlap("[a, b]", "[a]")},
      {"a, #a[1]", "{#a: 'a'}", Overlap("[a]", "[a, [1]]")},
      {"a.b, #a[1], #b", "{#a: 'a', #b: '[3]'}", Conflict("[a, b]", "[a, [1]]")},
      {"a.b[1], #a[1], #b", "{#a: 'a', #b: '[3]'}", Conflict("[a, b, [1]]", "[a, [1]]")},
      {"a[3].b, #a.#b.b", "{#a: 'a', #b: '[3]'}", Conflict("[a, [3], b]", "[a, [3], b]")},
      {"a , b[ 0 ] . c", "{}", "ok"},
  });
}

// Every parse function refuses malformed placeholders before it looks at the text.
TEST(PlaceholdersTest, KeysMustBeWellFormed) {
  const auto names = [](std::string key, std::string name) {
    Placeholders placeholders({{std::move(key), std::move(name)}}, {});
    return Outcome(ParseProjectionExpression("a", placeholders));
  };
  const auto values = [](std::string key) {
    Placeholders placeholders({}, {{std::move(key), Value::Integer(1)}});
    return Outcome(ParseConditionExpression("attribute_exists(a)", placeholders));
  };
  const auto syntax = [](std::string_view parameter, std::string_view key) {
    return StrCat(parameter, " contains invalid key: Syntax error; key: \"", key, '"');
  };
  EXPECT_EQ(names("#a_1", "x"), "ok");
  EXPECT_EQ(names("#1", "x"), "ok");
  for (const char* key : {"a", "#", "", "#a-b", "##", "#a b", ":a", "#\xC3\xA9"}) {
    EXPECT_EQ(names(key, "x"), syntax("ExpressionAttributeNames", key));
  }
  EXPECT_EQ(values(":a_1"), "ok");
  for (const char* key : {"a", ":", "", ":a.b", "#a"}) {
    EXPECT_EQ(values(key), syntax("ExpressionAttributeValues", key));
  }
  EXPECT_EQ(names("#" + std::string(254, 'x'), "x"), "ok");
  EXPECT_EQ(
      names("#" + std::string(255, 'x'), "x"),
      "ExpressionAttributeNames contains invalid key: The expression attribute map contains a "
      "key that is too long; size of key: 256");
  EXPECT_EQ(names("#a", ""),
            "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a");
  EXPECT_EQ(names("#a", std::string(65535, 'x')), "ok");
  EXPECT_EQ(names("#a", std::string(65536, 'x')),
            "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be "
            "less than 65536 bytes for key #a");
}

// Expressions of one request share placeholders; what none of them used is refused.
TEST(PlaceholdersTest, ReportsUnused) {
  Placeholders placeholders = TestPlaceholders("{#a: 'a', #b: 'b', #c: 'c', $x: 1, $y: 2, $z: 3}");
  EXPECT_EQ(Outcome(ParseUpdateExpression("SET #a = :x", placeholders)), "ok");
  EXPECT_EQ(Outcome(placeholders.CheckAllUsed()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #c}");
  EXPECT_EQ(Outcome(ParseConditionExpression("#b.#c = :x", placeholders)), "ok");
  EXPECT_EQ(Outcome(placeholders.CheckAllUsed()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:y, :z}");
  EXPECT_EQ(Outcome(ParseFilterExpression("contains(:y, :z)", placeholders)), "ok");
  EXPECT_EQ(Outcome(placeholders.CheckAllUsed()), "ok");
}

// Words at both ends of the table, near misses, and words longer than any in it.
TEST(ReservedWordsTest, AnyCase) {
  for (const char* word : {"ABORT", "abort", "Status", "name", "ZONE", "zOnE", "SIZE", "YEAR",
                           "ALL", "TTL", "DATA", "LOCALTIMESTAMP", "TYPE", "COUNT", "VALUES"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
  for (const char* word : {"", "a", "abor", "aborts", "pk", "id", "zz", "LOCALTIMESTAMPS",
                           "a_very_long_attribute_name_indeed", "name_", "contains1"}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
}

}  // namespace
}  // namespace tintype::tables
