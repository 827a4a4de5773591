#include "contexts/common/item.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "contexts/common/expression.h"

namespace tintype::contexts {
namespace {

using tables::Value;
using testing::ElementsAre;
using testing::IsEmpty;

// Proves that what is built is read back, that what is absent is left out, and that nothing is read
// as another type than it has.
TEST(ItemTest, ReadsWhatWasBuilt) {
  const tables::Item item = ItemBuilder()
                                .Text("text", "x")
                                .Integer("number", -5)
                                .MaybeText("absent", std::nullopt)
                                .MaybeInteger("none", std::nullopt)
                                .Decimal("ratio", 4.0 / 3)
                                .Bool("yes", true)
                                .TextList("list", {"a", "b"})
                                .Map("map", ItemBuilder().Text("inner", "y").Build())
                                .Build();
  const ItemReader read(item);
  EXPECT_EQ(read.Text("text"), "x");
  EXPECT_EQ(read.OptionalInteger("number"), -5);
  EXPECT_FALSE(read.Has("absent"));
  EXPECT_FALSE(read.Has("none"));
  EXPECT_DOUBLE_EQ(read.Decimal("ratio"), 1.333333);
  EXPECT_TRUE(read.Bool("yes"));
  EXPECT_THAT(read.TextList("list"), ElementsAre("a", "b"));
  EXPECT_EQ(read.Map("map").Text("inner"), "y");

  EXPECT_EQ(read.OptionalText("number"), std::nullopt);
  EXPECT_EQ(read.OptionalInteger("text"), std::nullopt);
  EXPECT_EQ(read.OptionalInteger("ratio"), std::nullopt);
  EXPECT_EQ(read.Integer("text", 7), 7);
  EXPECT_FALSE(read.Bool("text"));
  EXPECT_THAT(read.TextList("text"), IsEmpty());
  EXPECT_EQ(read.Map("text").Text("inner"), "");
}

// Proves that attributes are found in whatever order they are asked for, and as often.
TEST(ItemTest, ReadsInAnyOrder) {
  const tables::Item item =
      ItemBuilder().Integer("a", 1).Integer("b", 2).Integer("d", 4).Integer("e", 5).Build();
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", ""};
  const auto expected = [](const std::string& name) {
    return name.empty() || name == "c" || name == "f" ? 0 : name[0] - 'a' + 1;
  };
  for (const std::string& first : names) {
    for (const std::string& second : names) {
      for (const std::string& third : names) {
        const ItemReader read(item);
        for (const std::string& name : {first, second, third}) {
          EXPECT_EQ(read.Integer(name), expected(name)) << first << second << third;
          EXPECT_EQ(read.Has(name), expected(name) != 0);
        }
      }
    }
  }
}

// Proves that sets read as lists, and that members which are no texts are left out.
TEST(ItemTest, ReadsListsOfAnyShape) {
  const tables::Item item =
      ItemBuilder()
          .Value("set", *Value::Set(tables::Type::kStringSet, {"b", "a"}))
          .Value("mixed", Value::List({Value::Integer(1), Value::String("x"), Value::Null()}))
          .Build();
  EXPECT_THAT(ItemReader(item).TextList("set"), ElementsAre("a", "b"));
  EXPECT_THAT(ItemReader(item).TextList("mixed"), ElementsAre("x"));
}

// Proves that numbers beyond 64 bits, fractions and what no number can be are told apart.
TEST(ItemTest, ReadsNumbersThatFit) {
  const auto number = [](std::string_view text) {
    return ItemBuilder().Value("n", Value::OfNumber(*tables::Number::Parse(text))).Build();
  };
  EXPECT_EQ(ItemReader(number("9223372036854775807")).OptionalInteger("n"), INT64_MAX);
  EXPECT_EQ(ItemReader(number("9223372036854775808")).OptionalInteger("n"), std::nullopt);
  EXPECT_EQ(ItemReader(number("1e3")).OptionalInteger("n"), 1000);
  EXPECT_EQ(ItemReader(number("0.5")).OptionalInteger("n"), std::nullopt);
  using Limits = std::numeric_limits<double>;
  for (const double odd : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), 1e300}) {
    EXPECT_EQ(ItemReader(ItemBuilder().Decimal("n", odd).Build()).Decimal("n", 1), 0);
  }
  EXPECT_DOUBLE_EQ(ItemReader(ItemBuilder().Decimal("n", -0.0000001).Build()).Decimal("n", 1), 0);
}

// Proves that an expression of ours that is wrong is noticed at once, not when it is sent.
TEST(ExpressionDeathTest, EndsAtAWrongExpression) {
  EXPECT_DEATH(ConditionOf("status = :s", {{}, {{":s", Value::String("x")}}}), "CHECK|check|ok");
  EXPECT_DEATH(ConditionOf("attribute_exists(PK)", {{}, {{":s", Value::String("x")}}}), "ok");
}

}  // namespace
}  // namespace tintype::contexts
