#include "tables/language/expressions/expression_text.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "tables/language/expressions/expressions.h"
#include "tables/language/internal/test_values.h"

namespace tintype::tables {
namespace {

using internal::TestPlaceholders;
using internal::TestValue;

struct Row {
  std::string_view expression;
  std::string_view placeholders;
  std::string_view written;
};

// The placeholders that a writer handed out, to parse its text with.
Placeholders PlaceholdersOf(const ExpressionWriter& writer) {
  std::map<std::string, std::string, std::less<>> names;
  for (const auto& [name, number] : writer.names()) {
    names.emplace(StrCat('#', number), name);
  }
  std::map<std::string, Value, std::less<>> values;
  for (const auto& [encoded, number] : writer.values()) {
    values.emplace(StrCat(':', number), Value::Copy(ValueView(encoded)));
  }
  return {std::move(names), std::move(values)};
}

// Parses each expression, writes it, and does the same with what was written: it must parse, use
// all of its placeholders, and come out as the same text with the same names and values.
template <typename Parse>
void CheckRoundTrips(const Parse& parse, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.expression);
    Placeholders given = TestPlaceholders(row.placeholders);
    const auto parsed = parse(row.expression, given);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message();
    ExpressionWriter writer;
    const std::string written = writer.Write(*parsed);
    EXPECT_EQ(written, row.written);

    Placeholders handed_out = PlaceholdersOf(writer);
    const auto again = parse(written, handed_out);
    ASSERT_TRUE(again.ok()) << again.error().message();
    EXPECT_TRUE(handed_out.CheckAllUsed().ok());
    ExpressionWriter second;
    EXPECT_EQ(second.Write(*again), written);
    EXPECT_EQ(second.names(), writer.names());
    EXPECT_EQ(second.values(), writer.values());
  }
}

// Every kind of condition, with parentheses exactly where the tree needs them.
TEST(ExpressionWriterTest, WritesConditions) {
  CheckRoundTrips(ParseConditionExpression,
                  {
                      {"a = :v", "{$v: 1}", "#0=:0"},
                      {"a <> b", "{}", "#0<>#1"},
                      {"a < :v AND b <= :w", "{$v: 1, $w: 2}", "#0<:0 AND #1<=:1"},
                      {"a > :v OR b >= :v", "{$v: 1}", "#0>:0 OR #1>=:0"},
                      {"a BETWEEN :v AND :w", "{$v: 1, $w: 2}", "#0 BETWEEN :0 AND :1"},
                      {"a IN (b, :v, :w)", "{$v: 'x', $w: 'y'}", "#0 IN (#1,:0,:1)"},
                      {"attribute_exists(a.b[3].a)", "{}", "attribute_exists(#0.#1[3].#0)"},
                      {"attribute_not_exists(#n)", "{#n: 'size'}", "attribute_not_exists(#0)"},
                      {"attribute_type(a, :t)", "{$t: 'SS'}", "attribute_type(#0,:0)"},
                      {"begins_with(a, :p)", "{$p: b'x'}", "begins_with(#0,:0)"},
                      {"contains(a, :m)", "{$m: <1, 2>}", "contains(#0,:0)"},
                      {"size(a) > :v", "{$v: 1}", "size(#0)>:0"},
                      // The size of a literal is a literal.
                      {"a = size(:v)", "{$v: 'abc'}", "#0=:0"},
                  });
  CheckRoundTrips(
      ParseConditionExpression,
      {
          {"a=b AND b=c AND c=d", "{}", "#0=#1 AND #1=#2 AND #2=#3"},
          {"(a=b AND b=c) AND c=d", "{}", "(#0=#1 AND #1=#2) AND #2=#3"},
          {"a=b OR (b=c OR c=d)", "{}", "#0=#1 OR (#1=#2 OR #2=#3)"},
          {"a=b OR b=c AND c=d", "{}", "#0=#1 OR #1=#2 AND #2=#3"},
          {"(a=b OR b=c) AND c=d", "{}", "(#0=#1 OR #1=#2) AND #2=#3"},
          {"NOT a=b AND NOT (b=c)", "{}", "NOT #0=#1 AND NOT #1=#2"},
          {"NOT (a=b AND b=c)", "{}", "NOT (#0=#1 AND #1=#2)"},
          {"NOT NOT (a=b OR b=c)", "{}", "NOT NOT (#0=#1 OR #1=#2)"},
          {"NOT (a=b OR NOT (b=c AND c=d))", "{}", "NOT (#0=#1 OR NOT (#1=#2 AND #2=#3))"},
      });
}

// Key conditions, in which the key may stand on either side.
TEST(ExpressionWriterTest, WritesKeyConditions) {
  CheckRoundTrips(
      ParseKeyConditionExpression,
      {
          {"pk = :v", "{$v: 1}", "#0=:0"},
          {":v = pk AND :w > sk", "{$v: 1, $w: 2}", "#0=:0 AND #1<:1"},
          {"pk = :v AND sk <= :v", "{$v: 1}", "#0=:0 AND #1<=:0"},
          {"pk = :v AND sk > :w", "{$v: 1, $w: 2}", "#0=:0 AND #1>:1"},
          {"pk = :v AND sk >= :w", "{$v: 1, $w: 2}", "#0=:0 AND #1>=:1"},
          {"sk BETWEEN :v AND :w AND pk = :v", "{$v: 1, $w: 2}", "#0 BETWEEN :0 AND :1 AND #1=:0"},
          {"pk = :v AND begins_with(sk, :w)", "{$v: 1, $w: 'x'}", "#0=:0 AND begins_with(#1,:1)"},
      });
}

// Every kind of action, clauses always in the same order.
TEST(ExpressionWriterTest, WritesUpdates) {
  CheckRoundTrips(
      ParseUpdateExpression,
      {
          {"SET a = :v", "{$v: 1}", "SET #0=:0"},
          {"SET a = b, c.d[1] = :v", "{$v: {x: 1}}", "SET #0=#1,#2.#3[1]=:0"},
          {"SET a = a + :v, b = :v - b", "{$v: 1}", "SET #0=#0+:0,#1=:0-#1"},
          {"SET a = if_not_exists(a, :v) + :w", "{$v: 0, $w: 1}", "SET #0=if_not_exists(#0,:0)+:1"},
          {"SET a = list_append(if_not_exists(b, :v), a)", "{$v: ['x']}",
           "SET #0=list_append(if_not_exists(#1,:0),#0)"},
          {"REMOVE a, b[0]", "{}", "REMOVE #0,#1[0]"},
          {"ADD a :v, b :w", "{$v: 1, $w: <'x'>}", "ADD #0 :0,#1 :1"},
          {"DELETE a :v, b :v", "{$v: <'x'>}", "DELETE #0 :0,#1 :0"},
          {"DELETE a :s ADD b :v REMOVE c SET d = :v", "{$v: 1, $s: <'x'>}",
           "SET #0=:0 REMOVE #1 ADD #2 :0 DELETE #3 :1"},
      });
}

TEST(ExpressionWriterTest, WritesProjections) {
  CheckRoundTrips(ParseProjectionExpression, {
                                                 {"a", "{}", "#0"},
                                                 {"#n.b[2].#n, c", "{#n: 'a b'}", "#0.#1[2].#0,#2"},
                                             });
}

// All expressions of a request share their placeholders.
TEST(ExpressionWriterTest, SharesPlaceholdersBetweenExpressions) {
  Placeholders placeholders = TestPlaceholders("{$v: 1}");
  ExpressionWriter writer;
  EXPECT_EQ(writer.Write(*ParseKeyConditionExpression("pk = :v", placeholders)), "#0=:0");
  EXPECT_EQ(writer.Write(*ParseFilterExpression("a > :v AND pk <> a", placeholders)),
            "#1>:0 AND #0<>#1");
  EXPECT_EQ(writer.Write(*ParseProjectionExpression("pk, b", placeholders)), "#0,#2");
  EXPECT_EQ(writer.names(), (std::map<std::string, size_t>{{"pk", 0}, {"a", 1}, {"b", 2}}));
}

// Only AttributeUpdates can add a list, so it is written as what an expression would say.
TEST(ExpressionWriterTest, AppendsListsThatAreAdded) {
  Update update;
  update.legacy = true;
  update.adds.push_back({Path::Attribute("a"), TestValue("['x']")});
  update.adds.push_back({Path::Attribute("b"), TestValue("1")});
  ExpressionWriter writer;
  const std::string written = writer.Write(update);
  EXPECT_EQ(written, "SET #0=list_append(if_not_exists(#0,:0),:1) ADD #1 :2");

  Placeholders placeholders = PlaceholdersOf(writer);
  const auto parsed = ParseUpdateExpression(written, placeholders);
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  for (const std::string_view item : {"{}", "{a: ['w'], b: 2}"}) {
    const Item old_item = internal::TestItem(item);
    EXPECT_EQ(parsed->Apply(old_item.view(), {}).value(), update.Apply(old_item.view(), {}).value())
        << item;
  }
}

}  // namespace
}  // namespace tintype::tables
