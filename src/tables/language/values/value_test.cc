#include "tables/language/values/value.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tintype::tables {
namespace {

Value NumberOf(const char* text) { return Value::OfNumber(Number::Parse(text).value()); }

Item Sample() {
  return Item::Of({{"name", Value::String("Ada")},
                   {"age", NumberOf("36")},
                   {"raw", Value::Binary(std::string("\0\x01", 2))},
                   {"yes", Value::Bool(true)},
                   {"no", Value::Bool(false)},
                   {"nil", Value::Null()},
                   {"tags", Value::Set(Type::kStringSet, {"b", "a"}).value()},
                   {"list", Value::List({Value::String("x"), NumberOf("1")})},
                   {"map", Value::Map(Item::Of({{"k", Value::String("v")}}))}});
}

// Every type reads back as it was written.
TEST(ValueTest, ReadsBackEveryType) {
  const Item item = Sample();
  ASSERT_TRUE(CheckEncodedItem(item.payload()).ok());
  EXPECT_EQ(item.Find("name")->AsString(), "Ada");
  EXPECT_EQ(item.Find("age")->AsNumber(), Number(36));
  EXPECT_EQ(item.Find("raw")->AsString(), std::string("\0\x01", 2));
  EXPECT_TRUE(item.Find("yes")->AsBool());
  EXPECT_FALSE(item.Find("no")->AsBool());
  EXPECT_EQ(item.Find("no")->type(), Type::kBool);
  EXPECT_EQ(item.Find("nil")->type(), Type::kNull);
  EXPECT_EQ(item.Find("tags")->AsSet().size(), 2U);
  EXPECT_TRUE(item.Find("tags")->AsSet().Contains("a"));
  EXPECT_FALSE(item.Find("tags")->AsSet().Contains("c"));
  EXPECT_EQ(item.Find("list")->AsList().At(1)->AsNumber(), Number(1));
  EXPECT_FALSE(item.Find("list")->AsList().At(2));
  EXPECT_EQ(item.Find("map")->AsMap().Find("k")->AsString(), "v");
  EXPECT_FALSE(item.Find("absent"));
  EXPECT_EQ(item.view().size(), 9U);
}

// Equality of items is equality of bytes, whatever order things were written in.
TEST(ValueTest, EncodingIsCanonical) {
  const Item one = Item::Of({{"a", Value::Integer(1)}, {"b", Value::Integer(2)}});
  const Item other = Item::Of({{"b", Value::Integer(2)}, {"a", NumberOf("1.0")}});
  EXPECT_EQ(one.payload(), other.payload());
  EXPECT_EQ(Value::Set(Type::kStringSet, {"b", "a"})->encoded(),
            Value::Set(Type::kStringSet, {"a", "b"})->encoded());
}

// An item never holds a name twice, so that finding one is finding all.
TEST(ValueTest, LastOfEqualNamesWins) {
  const Item item = Item::Of({{"a", Value::Integer(1)}, {"a", Value::Integer(2)}});
  EXPECT_EQ(item.view().size(), 1U);
  EXPECT_EQ(item.Find("a")->AsNumber(), Number(2));
}

// Sets have at least one member and each once; numbers are compared by value, not by spelling.
TEST(ValueTest, SetsRefuseDuplicatesAndEmptiness) {
  EXPECT_EQ(Value::Set(Type::kStringSet, {}).error().kind(), ErrorKind::kValidation);
  EXPECT_EQ(Value::Set(Type::kStringSet, {"a", "a"}).error().kind(), ErrorKind::kValidation);
  EXPECT_FALSE(Value::Set(Type::kNumberSet,
                          {Number::Parse("1")->ToStored(), Number::Parse("1.0")->ToStored()})
                   .ok());
}

// Sizes are those that DynamoDB documents; limits and capacity are computed from them.
TEST(ValueTest, CountsBytesAsDynamoDb) {
  EXPECT_EQ(ItemSizeBytes(Item::Of({{"pk", Value::String("abc")}}).view()), 5U);
  EXPECT_EQ(ValueSizeBytes(Value::Null().view()), 1U);
  EXPECT_EQ(ValueSizeBytes(Value::Bool(true).view()), 1U);
  for (const char* number : {"0", "7", "-7", "12", "123", "-1234", "1e50", "-0.001"}) {
    EXPECT_EQ(ValueSizeBytes(NumberOf(number).view()), Number::Parse(number)->SizeBytes())
        << number;
  }
  EXPECT_EQ(ValueSizeBytes(Value::List({}).view()), 3U);
  EXPECT_EQ(ValueSizeBytes(Value::List({Value::String("ab")}).view()), 6U);
  EXPECT_EQ(ValueSizeBytes(Value::Map(Item::Of({{"k", Value::String("ab")}})).view()), 7U);
  EXPECT_EQ(ValueSizeBytes(Value::Set(Type::kStringSet, {"ab", "c"})->view()), 3U);
}

// A scalar is one level and each list around it one more, as the limit on nesting counts.
TEST(ValueTest, CountsNesting) {
  Value value = Value::String("x");
  EXPECT_EQ(NestingLevels(value.view()), 1);
  for (int i = 2; i <= 5; ++i) {
    value = Value::List({value});
    EXPECT_EQ(NestingLevels(value.view()), i);
  }
}

// Damage in bytes from outside is found, never followed.
TEST(ValueTest, CheckFindsTruncationAndSurvivesFlips) {
  const std::string good = Sample().payload();
  int accepted = 0;
  for (size_t length = 1; length < good.size(); ++length) {
    // A cut between two attributes is a shorter but well-formed item; nothing else passes.
    if (CheckEncodedItem(good.substr(0, length)).ok()) {
      ++accepted;
    }
  }
  EXPECT_EQ(accepted, 8);
  // Every single-byte change is either refused or yields bytes that can be walked safely.
  for (size_t i = 0; i < good.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ flip);
      if (CheckEncodedItem(bad).ok()) {
        EXPECT_GT(ItemSizeBytes(MapView(bad)), 0U);
      }
    }
  }
  EXPECT_FALSE(CheckEncodedItem("\x05").ok());
  EXPECT_FALSE(CheckEncodedItem(std::string("\x01k\x0F", 3)).ok());
}

// Lengths of any size read back, and bytes that never end are refused instead of read past.
TEST(ValueTest, VarintsRoundTripAndRefuseNonsense) {
  for (const uint64_t number : {uint64_t{0}, uint64_t{127}, uint64_t{128}, UINT64_MAX}) {
    std::string bytes;
    AppendVarint(bytes, number);
    std::string_view in = bytes;
    EXPECT_EQ(ReadVarint(in), number);
    EXPECT_TRUE(in.empty());
  }
  std::string_view endless = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
  EXPECT_FALSE(ReadVarint(endless));
}

// The encoding is canonical: a length or a number that is spelled in another way than ours is
// damage.
TEST(ValueTest, CheckRefusesOtherSpellings) {
  EXPECT_TRUE(CheckEncodedItem(std::string_view("\x00\x09", 2)).ok());
  EXPECT_FALSE(CheckEncodedItem(std::string_view("\x80\x00\x09", 3)).ok());
  EXPECT_FALSE(CheckEncodedItem(std::string_view("\x01k\x01\x80\x00", 5)).ok());
  // A number with zeros before its first digit (0.01), or after its last (0.10), likewise.
  EXPECT_TRUE(CheckEncodedItem(std::string_view("\x01n\x02\x04\x02\x80\x0B\x00", 8)).ok());
  EXPECT_FALSE(CheckEncodedItem(std::string_view("\x01n\x02\x04\x02\x80\x02\x00", 8)).ok());
  EXPECT_FALSE(CheckEncodedItem(std::string_view("\x01n\x02\x05\x02\x80\x0B\x01\x00", 9)).ok());
  std::string_view too_large = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02";
  EXPECT_FALSE(ReadVarint(too_large));
}

}  // namespace
}  // namespace tintype::tables
