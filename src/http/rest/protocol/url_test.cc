#include "http/rest/protocol/url.h"

#include <gmock/gmock.h>

#include "http/rest/protocol/keys.h"

// What stands in a request's first line, and what the server signs.

namespace tintype::http::rest {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(UrlTest, TakesTargetsApart) {
  const auto target = ParseTarget("/api//v1/im%2Fages/?q=a%2Bb+c&flag&q=second&x=1=2");
  ASSERT_TRUE(target);
  EXPECT_THAT(target->segments, ElementsAre("api", "v1", "im/ages"));
  EXPECT_EQ(target->path, "/api//v1/im%2Fages/");
  EXPECT_THAT(target->query, ElementsAre(Pair("flag", ""), Pair("q", "a+b c"), Pair("x", "1=2")));
  EXPECT_EQ(target->repeated, "q");
  EXPECT_EQ(target->Parameter("flag"), "");
  EXPECT_EQ(target->Parameter("other"), std::nullopt);
  EXPECT_TRUE(ParseTarget(""));
  EXPECT_EQ(ParseTarget("/?a=1&b=1")->repeated, std::nullopt);
  EXPECT_THAT(ParseTarget("/?")->query, IsEmpty());
  EXPECT_THAT(ParseTarget("/?a=1&&b=2&")->query, ElementsAre(Pair("a", "1"), Pair("b", "2")));
}

TEST(UrlTest, RefusesWhatCannotBeDecoded) {
  for (const char* target : {"/%", "/%4", "/%zz", "/%4g", "/ok?a=%", "/ok?%x=1"}) {
    EXPECT_FALSE(ParseTarget(target)) << target;
  }
}

// Proves that a cursor is good for one list of one account, and for nothing else.
TEST(KeysTest, SealsCursors) {
  const SignatureKeys keys = SignatureKeys::From("secret");
  const auto key = tables::Item::Of({{"PK", tables::Value::String("IMAGE#1")}});
  const std::string cursor = SealCursor(keys, "images", "ada", key);
  const auto opened = OpenCursor(keys, "images", "ada", cursor);
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(*opened, key);
  EXPECT_EQ(cursor.find("IMAGE"), std::string::npos);
  EXPECT_FALSE(OpenCursor(keys, "feed", "ada", cursor).ok());
  EXPECT_FALSE(OpenCursor(keys, "images", "eve", cursor).ok());
  EXPECT_FALSE(OpenCursor(SignatureKeys::From("other"), "images", "ada", cursor).ok());
  for (size_t i = 0; i < cursor.size(); ++i) {
    std::string damaged = cursor;
    damaged[i] = damaged[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(OpenCursor(keys, "images", "ada", damaged).ok()) << i;
  }
  for (const char* wrong : {"", "A", "****", "not a cursor"}) {
    EXPECT_FALSE(OpenCursor(keys, "images", "ada", wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace tintype::http::rest
