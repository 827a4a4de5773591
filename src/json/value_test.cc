#include "json/value.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "json/writer.h"

namespace tintype::json {
namespace {

constexpr size_t kBytes = 1024;

// Proves that each type is read as what it is, and asked for as another reads as nothing.
TEST(ValueTest, ReadsEveryType) {
  const auto parsed = Parse(
      R"({"text":"a\u00e9","whole":-7,"half":0.5,"huge":18446744073709551615,"yes":true,"none":null,)"
      R"("list":[1,"x",[]],"inner":{"deep":{"x":1}}})",
      kBytes);
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_EQ(*parsed->Find("text")->text(), "a\xC3\xA9");
  EXPECT_EQ(parsed->Find("whole")->integer(), -7);
  EXPECT_EQ(parsed->Find("whole")->number(), -7.0);
  EXPECT_EQ(parsed->Find("half")->number(), 0.5);
  EXPECT_EQ(parsed->Find("half")->integer(), std::nullopt);
  EXPECT_EQ(parsed->Find("huge")->integer(), std::nullopt);
  EXPECT_GT(*parsed->Find("huge")->number(), 1.8e19);
  EXPECT_EQ(parsed->Find("yes")->boolean(), true);
  EXPECT_TRUE(parsed->Find("none")->is_null());
  ASSERT_NE(parsed->Find("list")->array(), nullptr);
  EXPECT_EQ(parsed->Find("list")->array()->size(), 3U);
  EXPECT_EQ(parsed->Find("inner")->Find("deep")->Find("x")->integer(), 1);
  EXPECT_EQ(parsed->Find("text")->integer(), std::nullopt);
  EXPECT_EQ(parsed->Find("whole")->text(), nullptr);
  EXPECT_EQ(parsed->Find("absent"), nullptr);
  EXPECT_EQ(parsed->Find("list")->Find("x"), nullptr);
}

// Proves that of members of the same name the last one counts.
TEST(ValueTest, TakesTheLastOfEqualNames) {
  EXPECT_EQ(Parse(R"({"a":1,"a":2})", kBytes)->Find("a")->integer(), 2);
}

// Proves that what is not one JSON text in UTF-8 is refused.
TEST(ValueTest, RefusesWhatIsNotJson) {
  for (const std::string text : {"", " ", "{", "[1,]", "{'a':1}", "tru", "1 2", "{\"a\":1}x",
                                 "\"\xFF\"", "NaN", "01", "\"\x01\"", "1e999"}) {
    const auto parsed = Parse(text, kBytes);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().kind(), ErrorKind::kValidation);
  }
}

// Proves the two limits, to the byte and to the level.
TEST(ValueTest, HasLimits) {
  for (const size_t bytes : {size_t{2}, size_t{40}, size_t{1000}}) {
    const std::string text = StrCat('"', std::string(bytes - 2, 'x'), '"');
    EXPECT_TRUE(Parse(text, bytes).ok()) << bytes;
    EXPECT_FALSE(Parse(text, bytes - 1).ok()) << bytes;
  }
  const auto nested = [](size_t levels) {
    return StrCat(std::string(levels, '['), std::string(levels, ']'));
  };
  EXPECT_TRUE(Parse(nested(kDepthMax - 1), kBytes).ok());
  EXPECT_FALSE(Parse(nested(kDepthMax + 1), kBytes).ok());
  EXPECT_FALSE(Parse(nested(500), kBytes).ok());
}

// Proves that the writer puts commas and escapes where they belong, and that what it writes of a
// value reads back as that value.
TEST(WriterTest, WritesWhatReadsBack) {
  Writer json;
  json.OpenObject();
  json.Text("quote", "a\"\\\n\x01");
  json.Integer("low", INT64_MIN);
  json.Name("third").Number(1.0 / 3);
  json.Name("not").Number(1.0 / 0.0);
  json.Bool("no", false);
  json.MaybeText("absent", std::nullopt);
  json.MaybeText("present", "x");
  json.TextList("list", {"a", "b"});
  json.TextList("empty", {});
  json.Name("raw").Raw("[1,2]");
  json.Name("inner");
  json.OpenArray();
  json.OpenObject();
  json.CloseObject();
  json.Null();
  json.CloseArray();
  json.CloseObject();
  const std::string text = std::move(json).Take();
  const auto parsed = Parse(text, kBytes);
  ASSERT_TRUE(parsed.ok()) << text;
  EXPECT_EQ(*parsed->Find("quote")->text(), "a\"\\\n\x01");
  EXPECT_EQ(parsed->Find("low")->integer(), INT64_MIN);
  EXPECT_EQ(parsed->Find("third")->number(), 1.0 / 3);
  EXPECT_TRUE(parsed->Find("not")->is_null());
  EXPECT_EQ(parsed->Find("absent"), nullptr);
  EXPECT_EQ(parsed->Find("empty")->array()->size(), 0U);
  EXPECT_EQ(parsed->Find("raw")->array()->size(), 2U);
  EXPECT_EQ(parsed->Find("inner")->array()->size(), 2U);
  Writer again;
  again.Any(*parsed);
  EXPECT_EQ(std::move(again).Take(), text);
}

}  // namespace
}  // namespace tintype::json
