#include "tables/language/expressions/update.h"

#include <gtest/gtest.h>

#include "tables/language/expressions/expressions.h"
#include "tables/language/internal/test_values.h"

namespace tintype::tables {
namespace {

using internal::TestItem;
using internal::TestPlaceholders;
using internal::TestValue;
using internal::ToTestText;

constexpr std::string_view kWrongType =
    "An operand in the update expression has an incorrect data type";
constexpr std::string_view kMissing =
    "The provided expression refers to an attribute that does not exist in the item";
constexpr std::string_view kInvalidPath =
    "The document path provided in the update expression is invalid for update";

struct Case {
  std::string_view item;
  std::string_view expression;
  std::string_view placeholders;
  std::string_view expected;  // The item after the update, or the message.
};

void Check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    Placeholders placeholders = TestPlaceholders(c.placeholders);
    const Result<Update> update = ParseUpdateExpression(c.expression, placeholders);
    ASSERT_TRUE(update.ok()) << c.expression << ": " << update.error().message();
    const Item item = TestItem(c.item);
    const Result<Item> result = update->Apply(item.view(), MapView());
    const std::string got = result.ok() ? ToTestText(*result) : result.error().message();
    EXPECT_EQ(got, c.expected) << c.expression << " on " << c.item;
    if (result.ok()) {
      EXPECT_TRUE(CheckEncodedItem(result->payload()).ok()) << c.expression;
    }
  }
}

// SET replaces and creates, at the top and inside documents.
TEST(UpdateTest, Set) {
  Check({
      {"{k: 1}", "SET a = :v", "{$v: 2}", "{a: 2, k: 1}"},
      {"{a: 1}", "SET a = :v", "{$v: 'x'}", "{a: 'x'}"},
      {"{a: 1}", "set b = a", "{}", "{a: 1, b: 1}"},
      {"{b: 1}", "SET a = :v, c = :v", "{$v: [1]}", "{a: [1], b: 1, c: [1]}"},
      {"{a: {x: 1}}", "SET a.y = :v", "{$v: 2}", "{a: {x: 1, y: 2}}"},
      {"{a: {x: 1}}", "SET a.x = :v", "{$v: 2}", "{a: {x: 2}}"},
      {"{a: {b: {c: 1, d: 2}}}", "SET a.b.c = :v, a.e = :v", "{$v: 9}",
       "{a: {b: {c: 9, d: 2}, e: 9}}"},
      {"{l: [1, 2, 3]}", "SET l[1] = :v", "{$v: 9}", "{l: [1, 9, 3]}"},
      {"{l: [{x: 1}, {x: 2}]}", "SET l[1].x = :v, l[0].y = :v", "{$v: 9}",
       "{l: [{x: 1, y: 9}, {x: 9}]}"},
      {"{l: [[1], [2]]}", "SET l[1][0] = :v", "{$v: 9}", "{l: [[1], [9]]}"},
      {"{a: 1}", "SET a = (:v)", "{$v: 2}", "{a: 2}"},
      {"{m: {}}", "SET m.a = :v", "{$v: 2}", "{m: {a: 2}}"},
      {"{a: 1}", "SET #n = :v", "{#n: 'a.b', $v: 2}", "{a: 1, a.b: 2}"},
  });
}

// An index past the end appends, without gaps and in the order of the indexes.
TEST(UpdateTest, SetPastTheEndOfAListAppends) {
  Check({
      {"{l: [1, 2]}", "SET l[2] = :v", "{$v: 9}", "{l: [1, 2, 9]}"},
      {"{l: [1, 2]}", "SET l[100] = :v", "{$v: 9}", "{l: [1, 2, 9]}"},
      {"{l: []}", "SET l[0] = :v", "{$v: 9}", "{l: [9]}"},
      {"{l: [1]}", "SET l[20] = :b, l[10] = :a, l[0] = :c", "{$a: 'a', $b: 'b', $c: 'c'}",
       "{l: ['c', 'a', 'b']}"},
      {"{l: [1]}", "SET l[10] = :b, l[9] = :a", "{$a: 'a', $b: 'b'}", "{l: [1, 'a', 'b']}"},
      {"{l: [1, 2, 3]}", "SET l[7] = :v REMOVE l[0], l[1]", "{$v: 9}", "{l: [3, 9]}"},
  });
}

// Right-hand sides see the item as it was, whatever the same update writes.
TEST(UpdateTest, ReadsTheOldItem) {
  Check({
      {"{a: 1, b: 2}", "SET a = b, b = a", "{}", "{a: 2, b: 1}"},
      {"{a: 1}", "SET a = :v, b = a", "{$v: 5}", "{a: 5, b: 1}"},
      {"{a: 1, b: 2}", "REMOVE a SET b = a", "{}", "{b: 1}"},
      {"{a: 1}", "SET x = :v, y = x", "{$v: 5}", kMissing},
      {"{n: 1}", "ADD n :v SET m = n", "{$v: 5}", "{m: 1, n: 6}"},
  });
}

// Sums are exact decimals, of numbers only, within the range of numbers.
TEST(UpdateTest, Arithmetic) {
  Check({
      {"{n: 10}", "SET n = n + :v", "{$v: 5}", "{n: 15}"},
      {"{n: 10}", "SET n = n - :v", "{$v: 15}", "{n: -5}"},
      {"{n: 10}", "SET n = :v - n", "{$v: 15}", "{n: 5}"},
      {"{n: 10, m: 0.5}", "SET n = (n) + (m)", "{}", "{m: 0.5, n: 10.5}"},
      {"{n: 10}", "SET n = (n + :v)", "{$v: 5}", "{n: 15}"},
      {"{}", "SET n = :a + :b", "{$a: 0.1, $b: 0.2}", "{n: 0.3}"},
      {"{m: {c: 1}}", "SET m.c = m.c + :v", "{$v: 1}", "{m: {c: 2}}"},
      {"{}", "SET n = if_not_exists(n, :z) + :v", "{$z: 0, $v: 1}", "{n: 1}"},
      {"{n: 4}", "SET n = if_not_exists(n, :z) + :v", "{$z: 0, $v: 1}", "{n: 5}"},
      {"{s: 'x'}", "SET n = s + :v", "{$v: 1}", kWrongType},
      {"{s: 'x'}", "SET n = :v - s", "{$v: 1}", kWrongType},
      {"{}", "SET n = gone + :v", "{$v: 1}", kMissing},
      {"{n: 9E125}", "SET n = n + :v", "{$v: 9E125}",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {"{n: 9E125}", "ADD n :v", "{$v: 9E125}",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {"{n: 1E100}", "SET n = n + :v", "{$v: 1}",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {"{s: 'x'}", "SET n = gone + s", "{}", kMissing},
      {"{s: 'x'}", "SET n = s + gone", "{}", kWrongType},
  });
}

// if_not_exists and list_append, alone and inside one another.
TEST(UpdateTest, Functions) {
  Check({
      {"{}", "SET a = if_not_exists(a, :v)", "{$v: 1}", "{a: 1}"},
      {"{a: 0}", "SET a = if_not_exists(a, :v)", "{$v: 1}", "{a: 0}"},
      {"{b: 2}", "SET a = if_not_exists(a, b)", "{}", "{a: 2, b: 2}"},
      {"{c: 3}", "SET a = if_not_exists(a, if_not_exists(b, c))", "{}", "{a: 3, c: 3}"},
      {"{}", "SET a = if_not_exists(a, b)", "{}", kMissing},
      {"{m: {}}", "SET m.a = if_not_exists(m.a, :v)", "{$v: 1}", "{m: {a: 1}}"},
      {"{l: [1]}", "SET l = list_append(l, :v)", "{$v: [2, 3]}", "{l: [1, 2, 3]}"},
      {"{l: [1]}", "SET l = list_append(:v, l)", "{$v: [2, 3]}", "{l: [2, 3, 1]}"},
      {"{l: [1]}", "SET l = list_append((l), (:v))", "{$v: []}", "{l: [1]}"},
      {"{}", "SET l = list_append(if_not_exists(l, :e), :v)", "{$e: [], $v: ['x']}", "{l: ['x']}"},
      {"{l: 'x'}", "SET l = list_append(l, :v)", "{$v: [2]}", kWrongType},
      {"{}", "SET l = list_append(l, :v)", "{$v: [2]}", kMissing},
  });
}

// List members go by their old positions; what is not there needs no removing.
TEST(UpdateTest, Remove) {
  Check({
      {"{a: 1, b: 2}", "REMOVE a", "{}", "{b: 2}"},
      {"{a: 1}", "REMOVE gone", "{}", "{a: 1}"},
      {"{a: 1, b: 2, c: 3}", "remove a, c", "{}", "{b: 2}"},
      {"{m: {x: 1, y: 2}}", "REMOVE m.x", "{}", "{m: {y: 2}}"},
      {"{m: {x: 1}}", "REMOVE m.x", "{}", "{m: {}}"},
      {"{m: {x: 1}}", "REMOVE m.gone", "{}", "{m: {x: 1}}"},
      {"{l: [1, 2, 3, 4]}", "REMOVE l[1]", "{}", "{l: [1, 3, 4]}"},
      {"{l: [1, 2, 3, 4]}", "REMOVE l[0], l[2]", "{}", "{l: [2, 4]}"},
      {"{l: [1, 2, 3, 4]}", "REMOVE l[2], l[0], l[9]", "{}", "{l: [2, 4]}"},
      {"{l: [1, 2, 3]}", "REMOVE l[0] SET l[1] = :v", "{$v: 9}", "{l: [9, 3]}"},
      {"{l: [1]}", "REMOVE l[0]", "{}", "{l: []}"},
  });
}

// ADD makes what is missing; DELETE drops a set with its last member.
TEST(UpdateTest, AddAndDelete) {
  Check({
      {"{}", "ADD n :v", "{$v: 5}", "{n: 5}"},
      {"{n: 1}", "ADD n :v", "{$v: -5}", "{n: -4}"},
      {"{}", "ADD s :v", "{$v: <'a'>}", "{s: <'a'>}"},
      {"{s: <'b', 'd'>}", "ADD s :v", "{$v: <'a', 'b', 'c'>}", "{s: <'a', 'b', 'c', 'd'>}"},
      {"{s: <10, 9>}", "ADD s :v", "{$v: <1, 10.0>}", "{s: <1, 9, 10>}"},
      {"{m: {}}", "ADD m.n :v", "{$v: 5}", "{m: {n: 5}}"},
      {"{m: {s: <1>}}", "ADD m.s :v, m.n :w", "{$v: <2>, $w: 1}", "{m: {n: 1, s: <1, 2>}}"},
      {"{l: [1]}", "ADD l[0] :v, l[5] :v", "{$v: 4}", "{l: [5, 4]}"},
      {"{n: 'x'}", "ADD n :v", "{$v: 5}", kWrongType},
      {"{n: 1}", "ADD n :v", "{$v: <5>}", kWrongType},
      {"{s: <'a'>}", "ADD s :v", "{$v: <5>}", kWrongType},
      {"{s: <'a', 'b', 'c'>}", "DELETE s :v", "{$v: <'b', 'x'>}", "{s: <'a', 'c'>}"},
      {"{s: <'a', 'b'>}", "DELETE s :v", "{$v: <'b', 'a'>}", "{}"},
      {"{m: {s: <1>}}", "DELETE m.s :v", "{$v: <1.0>}", "{m: {}}"},
      {"{a: 1}", "DELETE s :v", "{$v: <1>}", "{a: 1}"},
      {"{s: <'a'>}", "DELETE s :v", "{$v: <5>}", kWrongType},
      {"{s: 1}", "DELETE s :v", "{$v: <1>}", kWrongType},
      {"{a: 1, d: <1, 2>, r: 1, s: 1}", "DELETE d :d ADD a :a REMOVE r SET s = :s",
       "{$d: <1>, $a: 1, $s: 's'}", "{a: 2, d: <2>, s: 's'}"},
  });
}

// Paths are not created on the way: all but the last step must be there and fit.
TEST(UpdateTest, InvalidPaths) {
  Check({
      {"{}", "SET a.b = :v", "{$v: 1}", kInvalidPath},
      {"{a: {}}", "SET a.b.c = :v", "{$v: 1}", kInvalidPath},
      {"{a: 1}", "SET a.b = :v", "{$v: 1}", kInvalidPath},
      {"{a: [1]}", "SET a.b = :v", "{$v: 1}", kInvalidPath},
      {"{a: {b: 1}}", "SET a[0] = :v", "{$v: 1}", kInvalidPath},
      {"{a: [1]}", "SET a[1][0] = :v", "{$v: 1}", kInvalidPath},
      {"{}", "REMOVE a.b, c[0].d", "{}", "{}"},  // There is no item, hence nothing to remove.
      {"{x: 1}", "REMOVE a.b", "{}", kInvalidPath},
      {"{a: 'x'}", "REMOVE a[0]", "{}", kInvalidPath},
      {"{}", "ADD a.b :v", "{$v: 1}", kInvalidPath},
      {"{}", "DELETE a.b :v", "{$v: <1>}", kInvalidPath},
  });
}

// Which of several failures is reported.
TEST(UpdateTest, OrderOfFailures) {
  Check({
      {"{a: 1, s: 'x'}", "SET a.b = :v, c = s + :v", "{$v: 1}", kInvalidPath},
      {"{s: 'x'}", "SET a.b = :v, c = s + :v", "{$v: 1}", kWrongType},
      {"{}", "SET c = gone, a.b = :v", "{$v: 1}", kInvalidPath},
      {"{n: 9E125}", "SET a = n + n, c = gone", "{}", kMissing},
  });
}

// A new item starts with its key, which right-hand sides may read.
TEST(UpdateTest, NewItemStartsWithItsKey) {
  Placeholders placeholders = TestPlaceholders("{$v: 1}");
  const Result<Update> update = ParseUpdateExpression("SET a = :v, c = pk", placeholders);
  const Item key = TestItem("{pk: 'k', sk: 2}");
  const Result<Item> item = update->Apply(MapView(), key.view());
  ASSERT_TRUE(item.ok());
  EXPECT_EQ(ToTestText(*item), "{a: 1, c: 'k', pk: 'k', sk: 2}");
  EXPECT_EQ(ToTestText(Update().Apply(MapView(), key.view()).value()), "{pk: 'k', sk: 2}");
}

// The legacy parameter can add to lists, which expressions cannot.
TEST(UpdateTest, LegacyAddAppendsToLists) {
  Update update;
  update.adds.push_back({Path::Attribute("l"), TestValue("[2]")});
  update.adds.push_back({Path::Attribute("new"), TestValue("[3]")});
  const Item item = TestItem("{l: [1]}");
  EXPECT_EQ(ToTestText(update.Apply(item.view(), MapView()).value()), "{l: [1, 2], new: [3]}");
}

// Documents may be 32 levels deep, however they come to be.
TEST(UpdateTest, RefusesToNestTooDeep) {
  std::string deep = "1";
  for (int i = 0; i < 30; ++i) {
    deep.insert(0, "[").append("]");
  }
  const auto apply = [](const std::string& item, const std::string& value) {
    Placeholders placeholders = TestPlaceholders("{$v: " + value + "}");
    const Item old = TestItem(item);
    return internal::Outcome(
        ParseUpdateExpression("SET a.b = :v", placeholders)->Apply(old.view(), MapView()));
  };
  EXPECT_EQ(apply("{a: {}}", deep), "ok");
  EXPECT_EQ(apply("{a: {}}", "[" + deep + "]"),
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
            "levels beyond supported limit");
}

// By kind, not in the order of the text.
TEST(UpdateTest, ListsWrittenPaths) {
  Placeholders placeholders = TestPlaceholders("{$n: 1, $s: <1>}");
  const Result<Update> update =
      ParseUpdateExpression("DELETE d.e :s REMOVE r[1] ADD a :n SET s = :n", placeholders);
  ASSERT_TRUE(update.ok());
  std::vector<std::string> paths;
  for (const Path& path : update->WrittenPaths()) {
    paths.push_back(path.ToString());
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"[s]", "[r, [1]]", "[a]", "[d, e]"}));
  EXPECT_EQ(update->KeptPaths().size(), 4U);
  EXPECT_FALSE(update->empty());
  EXPECT_TRUE(Update().empty());
}

}  // namespace
}  // namespace tintype::tables
