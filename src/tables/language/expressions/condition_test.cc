#include "tables/language/expressions/condition.h"

#include <gtest/gtest.h>

#include "tables/language/expressions/expressions.h"
#include "tables/language/internal/test_values.h"

namespace tintype::tables {
namespace {

using internal::TestItem;
using internal::TestPlaceholders;

constexpr std::string_view kItem =
    "{s: 'hello', e: '', n: 5, big: 12, neg: -3, b: b'hey', yes: true, nay: false, nil: null,"
    " l: [1, 'two', [3], {k: 'v'}], m: {x: 1, y: {z: 'deep'}}, ss: <'a', 'b'>, ns: <1, 2.5>,"
    " bs: <b'p', b'q'>, same: 'hello', five: 5}";

struct Case {
  std::string_view expression;
  std::string_view placeholders;
  bool holds;
};

void Check(const std::vector<Case>& cases, std::string_view item_text = kItem) {
  const Item item = TestItem(item_text);
  for (const Case& c : cases) {
    Placeholders placeholders = TestPlaceholders(c.placeholders);
    const Result<Condition> condition = ParseConditionExpression(c.expression, placeholders);
    ASSERT_TRUE(condition.ok()) << c.expression << ": " << condition.error().message();
    EXPECT_EQ(condition->Holds(item.view()), c.holds) << c.expression << " " << c.placeholders;
    EXPECT_EQ(internal::Outcome(placeholders.CheckAllUsed()), "ok") << c.expression;
  }
}

// Each comparator, on each type that has an order, and on those that have none.
TEST(ConditionTest, Compares) {
  Check({
      {"s = :v", "{$v: 'hello'}", true},
      {"s = :v", "{$v: 'hellp'}", false},
      {"s = :v", "{$v: b'hello'}", false},
      {":v = s", "{$v: 'hello'}", true},
      {"s = same", "{}", true},
      {"s <> same", "{}", false},
      {"s <> :v", "{$v: 1}", true},
      {"s < :v", "{$v: 'hellp'}", true},
      {"s < :v", "{$v: 'hello'}", false},
      {"s <= :v", "{$v: 'hello'}", true},
      {"s > :v", "{$v: 'hell'}", true},
      {"s > :v", "{$v: 'hello'}", false},
      {"s >= :v", "{$v: 'hello'}", true},
      {"s >= :v", "{$v: 'i'}", false},
      {"n < :v", "{$v: 10}", true},
      {"n < :v", "{$v: 4.999}", false},
      {"n > :v", "{$v: -10}", true},
      {"n = :v", "{$v: 5.0}", true},
      {"neg < :v", "{$v: -2.5}", true},
      {"big > n", "{}", true},
      {"b < :v", "{$v: b'hez'}", true},
      {"b > :v", "{$v: b'he'}", true},
      {"s < :v", "{$v: 1}", false},
      {"s > :v", "{$v: 1}", false},
      {"yes = :v", "{$v: true}", true},
      {"yes = :v", "{$v: false}", false},
      {"nay <> :v", "{$v: true}", true},
      {"nil = :v", "{$v: null}", true},
      {"l = :v", "{$v: [1, 'two', [3], {k: 'v'}]}", true},
      {"l = :v", "{$v: ['two', 1, [3], {k: 'v'}]}", false},
      {"m = :v", "{$v: {y: {z: 'deep'}, x: 1}}", true},
      {"ss = :v", "{$v: <'b', 'a'>}", true},
      {"ns = :v", "{$v: <2.50, 1>}", true},
      {"ns = :v", "{$v: <1>}", false},
  });
}

// Bytes are compared as unsigned, so non-ASCII text sorts after ASCII.
TEST(ConditionTest, ComparesTextByUnsignedBytes) {
  Check({{"s > :v", "{$v: 'z'}", true}, {"s < :v", "{$v: 'z'}", false}}, "{s: '\xC3\xA9'}");
}

// A missing attribute equals nothing and is ordered with nothing, but it does differ from things.
TEST(ConditionTest, MissingAttributes) {
  Check({
      {"gone = :v", "{$v: 1}", false},
      {"gone <> :v", "{$v: 1}", true},
      {"gone < :v", "{$v: 1}", false},
      {"gone >= :v", "{$v: 1}", false},
      {"gone = gone2", "{}", false},
      {"gone <> gone2", "{}", true},
      {"gone BETWEEN :a AND :b", "{$a: 1, $b: 2}", false},
      {"gone IN (:a)", "{$a: 1}", false},
      {"begins_with(gone, :a)", "{$a: ''}", false},
      {"contains(gone, :a)", "{$a: ''}", false},
      {"contains(s, gone)", "{}", false},
      {"size(gone) = :a", "{$a: 0}", false},
      {"size(gone) <> :a", "{$a: 0}", true},
      {"attribute_type(gone, :a)", "{$a: 'NULL'}", false},
  });
}

// BETWEEN includes both bounds; IN compares by value, whatever the type.
TEST(ConditionTest, BetweenAndIn) {
  Check({
      {"n BETWEEN :a AND :b", "{$a: 5, $b: 5}", true},
      {"n BETWEEN :a AND :b", "{$a: 1, $b: 4}", false},
      {"n BETWEEN :a AND :b", "{$a: 6, $b: 10}", false},
      {"n between :a and :b", "{$a: -1, $b: 100}", true},
      {"s BETWEEN :a AND :b", "{$a: 'a', $b: 'i'}", true},
      {"b BETWEEN :a AND :b", "{$a: b'a', $b: b'i'}", true},
      {"s BETWEEN :a AND :b", "{$a: 1, $b: 2}", false},
      {":v BETWEEN neg AND n", "{$v: 0}", true},
      {"n BETWEEN neg AND big", "{}", true},
      {"size(l) BETWEEN size(ss) AND size(s)", "{}", true},
      {"n IN (:a, :b)", "{$a: 4, $b: 5}", true},
      {"n IN (:a, :b)", "{$a: 4, $b: '5'}", false},
      {"n IN (big, five)", "{}", true},
      {"size(ss) IN (size(s), size(ns))", "{}", true},
      {"size(s) IN (size(ss), size(ns))", "{}", false},
      {"ss in (:a)", "{$a: <'a', 'b'>}", true},
  });
}

// What each function says of each type that it takes, and of those it does not.
TEST(ConditionTest, Functions) {
  Check({
      {"attribute_exists(s)", "{}", true},
      {"attribute_exists(nil)", "{}", true},
      {"attribute_exists(gone)", "{}", false},
      {"attribute_not_exists(gone)", "{}", true},
      {"attribute_not_exists(s)", "{}", false},
      {"attribute_type(s, :t)", "{$t: 'S'}", true},
      {"attribute_type(s, :t)", "{$t: 'N'}", false},
      {"attribute_type(n, :t)", "{$t: 'N'}", true},
      {"attribute_type(b, :t)", "{$t: 'B'}", true},
      {"attribute_type(nay, :t)", "{$t: 'BOOL'}", true},
      {"attribute_type(nil, :t)", "{$t: 'NULL'}", true},
      {"attribute_type(l, :t)", "{$t: 'L'}", true},
      {"attribute_type(m, :t)", "{$t: 'M'}", true},
      {"attribute_type(ss, :t)", "{$t: 'SS'}", true},
      {"attribute_type(ns, :t)", "{$t: 'NS'}", true},
      {"attribute_type(bs, :t)", "{$t: 'BS'}", true},
      {"begins_with(s, :p)", "{$p: 'hell'}", true},
      {"begins_with(s, :p)", "{$p: ''}", true},
      {"begins_with(s, :p)", "{$p: 'hello!'}", false},
      {"begins_with(s, :p)", "{$p: 'ello'}", false},
      {"begins_with(b, :p)", "{$p: b'he'}", true},
      {"begins_with(s, :p)", "{$p: b'he'}", false},
      {"begins_with(n, :p)", "{$p: '5'}", false},
      {"begins_with(s, same)", "{}", true},
      {"contains(s, :p)", "{$p: 'ell'}", true},
      {"contains(s, :p)", "{$p: 'elk'}", false},
      {"contains(s, :p)", "{$p: 1}", false},
      {"contains(b, :p)", "{$p: b'ey'}", true},
      {"contains(ss, :p)", "{$p: 'a'}", true},
      {"contains(ss, :p)", "{$p: 'c'}", false},
      {"contains(ss, :p)", "{$p: b'a'}", false},
      {"contains(ns, :p)", "{$p: 2.50}", true},
      {"contains(ns, :p)", "{$p: '1'}", false},
      {"contains(bs, :p)", "{$p: b'q'}", true},
      {"contains(l, :p)", "{$p: 'two'}", true},
      {"contains(l, :p)", "{$p: [3]}", true},
      {"contains(l, :p)", "{$p: 3}", false},
      {"contains(m, :p)", "{$p: 'x'}", false},
      {"contains(n, :p)", "{$p: 5}", false},
      {"contains(:v, s)", "{$v: 'oh hello there'}", true},
  });
}

// Strings are measured in UTF-16 code units; numbers, booleans and null have no size.
TEST(ConditionTest, Size) {
  Check({
      {"size(s) = :v", "{$v: 5}", true},
      {"size(e) = :v", "{$v: 0}", true},
      {"size(b) = :v", "{$v: 3}", true},
      {"size(l) = :v", "{$v: 4}", true},
      {"size(m) = :v", "{$v: 2}", true},
      {"size(ss) = :v", "{$v: 2}", true},
      {"size(ns) < :v", "{$v: 3}", true},
      {"size(bs) >= size(ns)", "{}", true},
      {"size(n) = :v", "{$v: 1}", false},
      {"size(yes) = :v", "{$v: 1}", false},
      {"size(nil) = :v", "{$v: 1}", false},
      {"size(:v) = size(ss)", "{$v: 'xy'}", true},
      {"size(m.y.z) = :v", "{$v: 4}", true},
  });
  // An e with acute is one unit of two bytes, a musical G clef two units of four bytes.
  Check({{"size(s) = :v", "{$v: 3}", true}}, "{s: '\xC3\xA9\xF0\x9D\x84\x9E'}");
}

// Steps into maps and lists, and steps that lead nowhere.
TEST(ConditionTest, Paths) {
  Check({
      {"m.x = :v", "{$v: 1}", true},
      {"m.y.z = :v", "{$v: 'deep'}", true},
      {"#m.#y.#z = :v", "{#m: 'm', #y: 'y', #z: 'z', $v: 'deep'}", true},
      {"l[0] = :v", "{$v: 1}", true},
      {"l[2][0] = :v", "{$v: 3}", true},
      {"l[3].k = :v", "{$v: 'v'}", true},
      {"l [ 3 ] . k = :v", "{$v: 'v'}", true},
      {"attribute_exists(l[3])", "{}", true},
      {"attribute_exists(l[4])", "{}", false},
      {"attribute_exists(m[0])", "{}", false},
      {"attribute_exists(l.x)", "{}", false},
      {"attribute_exists(s.x)", "{}", false},
      {"attribute_exists(#d)", "{#d: 'm.x'}", false},
  });
}

// NOT binds tighter than AND, AND tighter than OR, parentheses tighter than all.
TEST(ConditionTest, LogicAndPrecedence) {
  // 1 stands for a true comparison, 0 for a false one.
  const auto check = [](std::string expression, bool holds) {
    for (size_t at; (at = expression.find('1')) != std::string::npos;) {
      expression.replace(at, 1, "n=:5");
    }
    for (size_t at; (at = expression.find('0')) != std::string::npos;) {
      expression.replace(at, 1, "n=:6");
    }
    Placeholders placeholders = TestPlaceholders("{$5: 5, $6: 6}");
    const Result<Condition> condition = ParseFilterExpression(expression, placeholders);
    ASSERT_TRUE(condition.ok()) << expression << ": " << condition.error().message();
    EXPECT_EQ(condition->Holds(TestItem("{n: 5}").view()), holds) << expression;
  };
  check("1 AND 1", true);
  check("1 AND 0", false);
  check("0 OR 1", true);
  check("0 OR 0", false);
  check("NOT 0", true);
  check("NOT NOT 0", false);
  check("1 OR 1 AND 0", true);
  check("(1 OR 1) AND 0", false);
  check("0 AND 0 OR 1", true);
  check("0 AND (0 OR 1)", false);
  check("NOT 0 AND 0", false);
  check("NOT (0 AND 0)", true);
  check("NOT 1 OR 1", true);
  check("NOT (1 OR 1)", false);
  check("1 AND 1 AND 1 AND 0", false);
  check("0 OR 0 OR 0 OR 1", true);
  check("(1) AND (1)", true);
  check("((1) AND (NOT (0)))", true);
  check("1 and not 0 or 0", true);
}

// An item that does not exist is the empty map.
TEST(ConditionTest, AbsentItem) {
  Check({{"attribute_not_exists(pk)", "{}", true}, {"attribute_exists(pk)", "{}", false}}, "{}");
}

// Every path is met once, those inside size() and NOT too.
TEST(ConditionTest, VisitsPaths) {
  Placeholders placeholders = TestPlaceholders("{$v: 1}");
  const Result<Condition> condition = ParseConditionExpression(
      "a.b = :v AND (size(c) > :v OR NOT attribute_exists(d[1]))", placeholders);
  ASSERT_TRUE(condition.ok());
  std::vector<std::string> paths;
  condition->VisitPaths([&](const Path& path) { paths.push_back(path.ToString()); });
  EXPECT_EQ(paths, (std::vector<std::string>{"[a, b]", "[c]", "[d, [1]]"}));
}

}  // namespace
}  // namespace tintype::tables
