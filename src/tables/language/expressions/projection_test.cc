#include "tables/language/expressions/projection.h"

#include <gtest/gtest.h>

#include "tables/language/expressions/expressions.h"
#include "tables/language/internal/test_values.h"

namespace tintype::tables {
namespace {

using internal::TestItem;
using internal::TestPlaceholders;
using internal::ToTestText;

// What each projection leaves of one item.
TEST(ProjectionTest, Applies) {
  const Item item = TestItem(
      "{a: 1, b: 'two', l: [0, 1, {x: 1, y: 2}, [7, 8, 9]], m: {p: 1, q: {r: 2, s: 3}}, z: <1>}");
  const struct {
    std::string_view expression;
    std::string_view placeholders;
    std::string_view expected;
  } cases[] = {
      {"a", "{}", "{a: 1}"},
      {"z, a", "{}", "{a: 1, z: <1>}"},
      {"gone", "{}", "{}"},
      {"gone, b", "{}", "{b: 'two'}"},
      {"#x", "{#x: 'm'}", "{m: {p: 1, q: {r: 2, s: 3}}}"},
      {"m.p", "{}", "{m: {p: 1}}"},
      {"m.q.r", "{}", "{m: {q: {r: 2}}}"},
      {"m.q.s, m.p", "{}", "{m: {p: 1, q: {s: 3}}}"},
      {"m.gone", "{}", "{}"},
      {"m.q.gone, a", "{}", "{a: 1}"},
      {"m.gone, m.p", "{}", "{m: {p: 1}}"},
      {"m.p.deeper", "{}", "{}"},
      {"m[0]", "{}", "{}"},
      {"l[0]", "{}", "{l: [0]}"},
      {"l[2], l[0]", "{}", "{l: [0, {x: 1, y: 2}]}"},
      {"l[9]", "{}", "{}"},
      {"l[9], l[1]", "{}", "{l: [1]}"},
      {"l[2].y", "{}", "{l: [{y: 2}]}"},
      {"l[2].gone, l[3][2], l[3][0]", "{}", "{l: [[7, 9]]}"},
      {"l.x", "{}", "{}"},
      {"a.b", "{}", "{}"},
      {"b[0]", "{}", "{}"},
      {"#d", "{#d: 'm.p'}", "{}"},
  };
  for (const auto& c : cases) {
    Placeholders placeholders = TestPlaceholders(c.placeholders);
    const Result<Projection> projection = ParseProjectionExpression(c.expression, placeholders);
    ASSERT_TRUE(projection.ok()) << c.expression << ": " << projection.error().message();
    const Item shown = projection->Apply(item.view());
    EXPECT_EQ(ToTestText(shown), c.expected) << c.expression;
    EXPECT_TRUE(CheckEncodedItem(shown.payload()).ok()) << c.expression;
  }
}

// The legacy parameter's form; a copy works after the original is gone.
TEST(ProjectionTest, OfAttributes) {
  std::optional<Projection> original = Projection::OfAttributes({"c", "a"});
  const Projection copy = *original;
  original.reset();
  EXPECT_EQ(ToTestText(copy.Apply(TestItem("{a: 1, b: 2, c: 3}").view())), "{a: 1, c: 3}");
  EXPECT_EQ(copy.paths().size(), 2U);
}

// The two ways in which paths get in each other's way.
TEST(PathTest, PrintsAndRelates) {
  const auto path = [](std::string_view text) {
    Placeholders none;
    return ParseProjectionExpression(text, none).value().paths().front();
  };
  EXPECT_EQ(path("a.b[3].c").ToString(), "[a, b, [3], c]");
  EXPECT_EQ(Relate(path("a"), path("b")), PathRelation::kDisjoint);
  EXPECT_EQ(Relate(path("a.b"), path("a.c")), PathRelation::kDisjoint);
  EXPECT_EQ(Relate(path("a[1]"), path("a[2]")), PathRelation::kDisjoint);
  EXPECT_EQ(Relate(path("a"), path("a")), PathRelation::kOverlap);
  EXPECT_EQ(Relate(path("a"), path("a.b[1]")), PathRelation::kOverlap);
  EXPECT_EQ(Relate(path("a[1].c"), path("a[1]")), PathRelation::kOverlap);
  EXPECT_EQ(Relate(path("a[1]"), path("a.b")), PathRelation::kConflict);
  EXPECT_EQ(Relate(path("a.b.c"), path("a.b[0]")), PathRelation::kConflict);
}

}  // namespace
}  // namespace tintype::tables
