#include "tables/wire/internal/testing.h"

// Attribute values: from JSON to the stored form and back, and what is refused.
namespace tintype::tables::wire {
namespace {

using testing::ExpectErrors;

Result<Item> DecodeOne(const std::string& item) {
  auto request = DecodePutItem(R"({"TableName": "abc", "Item": )" + item + "}");
  if (!request.ok()) {
    return std::move(request).error();
  }
  return std::move(request)->item;
}

std::string Nested(int wraps) {
  std::string json = R"({"S": "x"})";
  for (int i = 0; i < wraps; ++i) {
    json.insert(0, i % 2 == 0 ? R"({"M": {"m": )" : R"({"L": [)").append(i % 2 == 0 ? "}}" : "]}");
  }
  return R"({"a": )" + json + "}";
}

// Every type survives the way in and out. Names and set members come out sorted, numbers
// normalised.
TEST(AttributeValueTest, RoundTrips) {
  struct {
    std::string in;
    std::string out;
  } const rows[] = {
      {"{}", "{}"},
      {R"({"a":{"S":"x"}})", R"({"a":{"S":"x"}})"},
      {R"({"a":{"S":""}})", R"({"a":{"S":""}})"},
      {R"({"b":{"S":"x"},"a":{"S":"y"}})", R"({"a":{"S":"y"},"b":{"S":"x"}})"},
      {R"({"a":{"S":"q\"b\\n\nr\rt\tu\u0001 \u00e9\ud83d\ude00"}})",
       "{\"a\":{\"S\":\"q\\\"b\\\\n\\nr\\rt\\tu\\u0001 \u00e9\U0001F600\"}}"},
      {R"({"q\"":{"S":"x"}})", R"({"q\"":{"S":"x"}})"},
      {R"({"a":{"N":"1e3"}})", R"({"a":{"N":"1000"}})"},
      {R"({"a":{"N":"-0.50"}})", R"({"a":{"N":"-0.5"}})"},
      {R"({"a":{"B":""}})", R"({"a":{"B":""}})"},
      {R"({"a":{"B":"YQ=="}})", R"({"a":{"B":"YQ=="}})"},
      {R"({"a":{"B":"YWI="}})", R"({"a":{"B":"YWI="}})"},
      {R"({"a":{"B":"AP+/"}})", R"({"a":{"B":"AP+/"}})"},
      {R"({"a":{"BOOL":true},"b":{"BOOL":false}})", R"({"a":{"BOOL":true},"b":{"BOOL":false}})"},
      {R"({"a":{"NULL":true}})", R"({"a":{"NULL":true}})"},
      {R"({"a":{"SS":["b","a"]}})", R"({"a":{"SS":["a","b"]}})"},
      {R"({"a":{"NS":["10","9"]}})", R"({"a":{"NS":["9","10"]}})"},
      {R"({"a":{"BS":["Yg==","YQ=="]}})", R"({"a":{"BS":["YQ==","Yg=="]}})"},
      {R"({"a":{"L":[]},"b":{"M":{}}})", R"({"a":{"L":[]},"b":{"M":{}}})"},
      {R"({"a":{"L":[{"S":"x"},{"M":{"b":{"N":"2"},"a":{"L":[{"NULL":true}]}}}]}})",
       R"({"a":{"L":[{"S":"x"},{"M":{"a":{"L":[{"NULL":true}]},"b":{"N":"2"}}}]}})"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.in);
    const auto item = DecodeOne(row.in);
    ASSERT_TRUE(item.ok()) << item.error().message();
    EXPECT_EQ(EncodeGetItem({*item, std::nullopt}), R"({"Item":)" + row.out + "}");
  }
}

// Anything that is not a value of exactly one type, or not a valid one of its type, is refused.
TEST(AttributeValueTest, RefusesInvalidValues) {
  struct {
    std::string value;
    std::string message;
  } const rows[] = {
      {"{}",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {"null",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"X": "y"})",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"S": "x", "N": "1"})",
       "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
       "supported datatypes"},
      {R"({"NULL": false})",
       "One or more parameter values were invalid: Null attribute value types must have the value "
       "of true"},
      {R"({"SS": []})",
       "One or more parameter values were invalid: An string set  may not be empty"},
      {R"({"NS": []})",
       "One or more parameter values were invalid: An number set  may not be empty"},
      {R"({"BS": []})",
       "One or more parameter values were invalid: Binary sets should not be empty"},
      {R"({"M": {"a": {"SS": []}}})",
       "One or more parameter values were invalid: An string set  may not be empty"},
      {R"({"L": [{"SS": []}]})",
       "One or more parameter values were invalid: An string set  may not be empty"},
      {R"({"SS": ["a", "b", "a"]})",
       "One or more parameter values were invalid: Input collection [a, b, a] contains "
       "duplicates."},
      {R"({"NS": ["1", "1.0"]})", "Input collection contains duplicates"},
      {R"({"BS": ["YQ==", "YQ=="]})",
       "One or more parameter values were invalid: Input collection [YQ==, YQ==]of type BS "
       "contains "
       "duplicates."},
      {R"({"SS": [null]})",
       "One or more parameter values were invalid: An SS may not have a null value as a member"},
      {R"({"N": ""})", "The parameter cannot be converted to a numeric value"},
      {R"({"N": "b"})", "The parameter cannot be converted to a numeric value: b"},
      {R"({"NS": ["1", "b"]})", "The parameter cannot be converted to a numeric value: b"},
  };
  for (const auto& row : rows) {
    ExpectErrors(
        ErrorKind::kValidation,
        {{"GetItem", R"({"TableName": "abc", "Key": {"a": )" + row.value + "}}", row.message}});
  }
}

// 32 levels are allowed, the value at the bottom included.
TEST(AttributeValueTest, LimitsNesting) {
  EXPECT_TRUE(DecodeOne(Nested(31)).ok());
  for (const int wraps : {32, 400}) {
    const auto item = DecodeOne(Nested(wraps));
    ASSERT_FALSE(item.ok());
    EXPECT_EQ(item.error().message(),
              "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
              "levels beyond supported limit");
  }
}

// Attribute names have 65,535 bytes at most, and an item 400 KB.
TEST(AttributeValueTest, LimitsSizes) {
  const std::string longest(65535, 'n');
  EXPECT_TRUE(DecodeOne(R"({")" + longest + R"(": {"S": "x"}})").ok());
  const std::string too_long =
      "1 validation error detected: One or more parameter values were invalid: Attribute name is "
      "too large, must be less than "
      "65536 bytes";
  const auto top = DecodeOne(R"({"n)" + longest + R"(": {"S": "x"}})");
  ASSERT_FALSE(top.ok());
  EXPECT_EQ(top.error().message(), too_long);
  const auto nested = DecodeOne(R"({"a": {"M": {"n)" + longest + R"(": {"S": "x"}}}})");
  ASSERT_FALSE(nested.ok());
  EXPECT_EQ(nested.error().message(), too_long);

  EXPECT_TRUE(DecodeOne(R"({"a": {"S": ")" + std::string(409599, 'x') + R"("}})").ok());
  const auto big = DecodeOne(R"({"a": {"S": ")" + std::string(409600, 'x') + R"("}})");
  ASSERT_FALSE(big.ok());
  EXPECT_EQ(big.error().message(), "Item size has exceeded the maximum allowed size");
}

}  // namespace
}  // namespace tintype::tables::wire
