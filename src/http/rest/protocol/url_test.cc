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

// Proves that no part of a signed link can be changed, and that another server's is no good.
TEST(KeysTest, SignsLinks) {
  const SignatureKeys keys = SignatureKeys::From("secret");
  const std::string signed_url = SignUrl(
      keys, "https://photos.example/media/images/1/LARGE?revision=2", {1700000000, "owner"});
  const size_t at = signed_url.find("&signature=");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(signed_url.substr(0, at),
            "https://photos.example/media/images/1/LARGE?revision=2&expires=1700000000&for=owner");
  const std::string signature = signed_url.substr(at + 11);
  const std::string path = "/media/images/1/LARGE";
  const SignedLink link{path, "2", "1700000000", "owner", ""};
  EXPECT_TRUE(VerifyUrl(keys, link, signature));
  EXPECT_FALSE(
      VerifyUrl(keys, {"/media/images/1/ORIGINAL", "2", "1700000000", "owner", ""}, signature));
  EXPECT_FALSE(VerifyUrl(keys, {path, "1", "1700000000", "owner", ""}, signature));
  EXPECT_FALSE(VerifyUrl(keys, {path, "2", "1700000001", "owner", ""}, signature));
  EXPECT_FALSE(VerifyUrl(keys, {path, "2", "1700000000", "owner", "w=1"}, signature));
  EXPECT_FALSE(VerifyUrl(keys, {path, "2", "1700000000", "trash", ""}, signature));
  EXPECT_FALSE(VerifyUrl(keys, link, signature + "A"));
  EXPECT_FALSE(VerifyUrl(keys, link, ""));
  EXPECT_FALSE(VerifyUrl(SignatureKeys::From("other"), link, signature));
  LinkSigner links(keys, 1700000000, "viewer");
  EXPECT_EQ(links.Sign("", "images/0/THUMB", 11),
            SignUrl(keys, "/media/images/0/THUMB?revision=11", {1700000000, "viewer"}));
  links.SetAudience("owner");
  EXPECT_EQ(links.Sign("https://photos.example", "images/1/LARGE", 2), signed_url);
  EXPECT_EQ(SignUrl(keys, "https://elsewhere.example/a.jpg", {1, "owner"}),
            "https://elsewhere.example/a.jpg");
}

// Proves that what a link asks for beside the stored bytes is signed with the rest.
TEST(KeysTest, SignsWhatIsAskedFor) {
  const SignatureKeys keys = SignatureKeys::From("secret");
  const std::string url = SignUrl(keys, "/media/k?revision=0", {7, "owner", "w=5&fit=inside"});
  const std::string unsigned_part =
      "/media/k?revision=0&w=5&fit=inside&expires=7&for=owner&signature=";
  ASSERT_TRUE(url.starts_with(unsigned_part)) << url;
  const std::string signature = url.substr(unsigned_part.size());
  EXPECT_TRUE(VerifyUrl(keys, {"/media/k", "0", "7", "owner", "w=5&fit=inside"}, signature));
  for (const std::string other : {"w=6&fit=inside", "w=5&fit=cover", "w=5", "fit=inside&w=5", ""}) {
    EXPECT_FALSE(VerifyUrl(keys, {"/media/k", "0", "7", "owner", other}, signature)) << other;
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
