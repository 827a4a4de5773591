#include "http/rest/url.h"

#include <gmock/gmock.h>

#include "http/rest/keys.h"
#include "http/rest/ranges.h"

// What stands in a request's first line and in its Range, and what the server signs.

namespace tintype::http::rest {
namespace {

using testing::ElementsAre;
using testing::Pair;
using Kind = RangeDecision::Kind;

TEST(UrlTest, TakesTargetsApart) {
  const auto target = ParseTarget("/api//v1/im%2Fages/?q=a%2Bb+c&flag&q=second&x=1=2");
  ASSERT_TRUE(target);
  EXPECT_THAT(target->segments, ElementsAre("api", "v1", "im/ages"));
  EXPECT_EQ(target->path, "/api//v1/im%2Fages/");
  EXPECT_THAT(target->query, ElementsAre(Pair("flag", ""), Pair("q", "a+b c"), Pair("x", "1=2")));
  EXPECT_EQ(target->Parameter("flag"), "");
  EXPECT_EQ(target->Parameter("other"), std::nullopt);
  EXPECT_TRUE(ParseTarget(""));
}

TEST(UrlTest, RefusesWhatCannotBeDecoded) {
  for (const char* target : {"/%", "/%4", "/%zz", "/%4g", "/ok?a=%", "/ok?%x=1"}) {
    EXPECT_FALSE(ParseTarget(target)) << target;
  }
  EXPECT_EQ(PercentDecode("%41%6a+"), "Aj+");
}

// By RFC 9110: one satisfiable range is a part; none, several and nonsense are the whole.
TEST(RangesTest, DecidesAsHttpSays) {
  const struct {
    const char* header;
    uint64_t size;
    Kind kind;
    uint64_t offset;
    uint64_t length;
  } cases[] = {
      {"bytes=0-0", 10, Kind::kPart, 0, 1},
      {"bytes=2-5", 10, Kind::kPart, 2, 4},
      {"bytes=2-", 10, Kind::kPart, 2, 8},
      {"bytes=2-99", 10, Kind::kPart, 2, 8},
      {"bytes=-3", 10, Kind::kPart, 7, 3},
      {"bytes=-99", 10, Kind::kPart, 0, 10},
      {"bytes=0-18446744073709551615", 10, Kind::kPart, 0, 10},
      {"bytes=10-", 10, Kind::kUnsatisfiable, 0, 0},
      {"bytes=-0", 10, Kind::kUnsatisfiable, 0, 0},
      {"bytes=0-", 0, Kind::kUnsatisfiable, 0, 0},
      {"bytes=-1", 0, Kind::kUnsatisfiable, 0, 0},
      {"bytes=5-2", 10, Kind::kWhole, 0, 0},
      {"bytes=0-1,3-4", 10, Kind::kWhole, 0, 0},
      {"bytes=a-b", 10, Kind::kWhole, 0, 0},
      {"bytes=-", 10, Kind::kWhole, 0, 0},
      {"bytes=1", 10, Kind::kWhole, 0, 0},
      {"bytes=0-18446744073709551616", 10, Kind::kWhole, 0, 0},
      {"lines=0-1", 10, Kind::kWhole, 0, 0},
      {"", 10, Kind::kWhole, 0, 0},
  };
  for (const auto& [header, size, kind, offset, length] : cases) {
    const RangeDecision decision = DecideRange(header, size);
    EXPECT_EQ(decision.kind, kind) << header;
    EXPECT_EQ(decision.range.offset, offset) << header;
    EXPECT_EQ(decision.range.length, length) << header;
  }
}

// Proves that no part of a signed link can be changed, and that another server's is no good.
TEST(KeysTest, SignsLinks) {
  const SignatureKeys keys = SignatureKeys::From("secret");
  const std::string signed_url =
      SignUrl(keys, "https://photos.example/media/images/1/LARGE?revision=2", 1700000000);
  const size_t at = signed_url.find("&signature=");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(signed_url.substr(0, at),
            "https://photos.example/media/images/1/LARGE?revision=2&expires=1700000000");
  const std::string signature = signed_url.substr(at + 11);
  const std::string path = "/media/images/1/LARGE";
  EXPECT_TRUE(VerifyUrl(keys, path, "2", "1700000000", signature));
  EXPECT_FALSE(VerifyUrl(keys, "/media/images/1/ORIGINAL", "2", "1700000000", signature));
  EXPECT_FALSE(VerifyUrl(keys, path, "1", "1700000000", signature));
  EXPECT_FALSE(VerifyUrl(keys, path, "2", "1700000001", signature));
  EXPECT_FALSE(VerifyUrl(keys, path, "2", "1700000000", signature + "A"));
  EXPECT_FALSE(VerifyUrl(keys, path, "2", "1700000000", ""));
  EXPECT_FALSE(VerifyUrl(SignatureKeys::From("other"), path, "2", "1700000000", signature));
  EXPECT_EQ(SignUrl(keys, "https://elsewhere.example/a.jpg", 1), "https://elsewhere.example/a.jpg");
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
