#include "http/dynamodb/gzip.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "tables/language/errors.h"

namespace tintype::http::dynamodb {
namespace {

constexpr size_t kLimit = 1024 * 1024;

// Proves that what is compressed comes back, from nothing to the limit, and in several pieces.
TEST(GzipTest, ComesBackAsItWas) {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{5000}, kLimit}) {
    const std::string body(size, 'x');
    const auto back = Decompress(Encoding::kGzip, Compress(body), kLimit);
    ASSERT_TRUE(back.ok()) << size;
    EXPECT_EQ(*back, body) << size;
  }
  const auto pieces =
      Decompress(Encoding::kGzip, Compress("one ") + Compress("") + Compress("two"), kLimit);
  ASSERT_TRUE(pieces.ok());
  EXPECT_EQ(*pieces, "one two");
  EXPECT_LT(Compress(std::string(5000, 'x')).size(), 500U);
}

// Proves that a small body that would become large is refused, in one piece or in several.
TEST(GzipTest, RefusesMoreThanTheLimit) {
  for (const std::string& bomb :
       {Compress(std::string(kLimit + 1, '\0')), Compress(std::string(64 * kLimit, '\0')),
        Compress(std::string(kLimit, '\0')) + Compress("x")}) {
    ASSERT_LT(bomb.size(), kLimit);
    const auto refused = Decompress(Encoding::kGzip, bomb, kLimit);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind(), ErrorKind::kRequestTooLarge);
  }
}

// Proves that whatever is not whole and valid gzip is refused: every cut, every damaged byte that
// matters, something after the end, and more pieces than anybody sends.
TEST(GzipTest, RefusesDamage) {
  const std::string good = Compress(R"({"TableName":"photos","Key":{"id":{"S":"1"}}})");
  std::vector<std::string> bad = {"", "{}", good + "junk", good + good.substr(0, 12)};
  for (size_t length = 0; length < good.size(); ++length) {
    bad.push_back(good.substr(0, length));
  }
  for (const size_t position :
       {size_t{0}, size_t{1}, size_t{2}, good.size() - 8, good.size() - 1}) {
    bad.push_back(good);
    bad.back()[position] ^= 0x10;
  }
  std::string many;
  for (int i = 0; i < 1000; ++i) {
    many += Compress("");
  }
  bad.push_back(many);
  for (const std::string& body : bad) {
    const auto refused = Decompress(Encoding::kGzip, body, kLimit);
    ASSERT_FALSE(refused.ok()) << body.size();
    EXPECT_EQ(refused.error().reason(), tables::reasons::kSerialization) << body.size();
  }
}

// Proves that deflate is taken as RFC 1950 has it, one stream and nothing after it.
TEST(GzipTest, TakesDeflate) {
  using namespace std::string_view_literals;
  constexpr std::string_view kDeflated =
      "\x78\x9c\xcb\xcf\x4b\x55\x28\x29\xcf\x07\x00\x0a\xd6\x02\xbd"sv;
  const auto text = Decompress(Encoding::kDeflate, kDeflated, kLimit);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(*text, "one two");
  EXPECT_EQ(Decompress(Encoding::kDeflate, kDeflated, 6).error().kind(),
            ErrorKind::kRequestTooLarge);
  std::vector<std::string> bad = {Compress("one two"), StrCat(kDeflated, "x"),
                                  StrCat(kDeflated, kDeflated)};
  for (size_t length = 0; length < kDeflated.size(); ++length) {
    bad.emplace_back(kDeflated.substr(0, length));
  }
  for (const std::string& body : bad) {
    const auto refused = Decompress(Encoding::kDeflate, body, kLimit);
    ASSERT_FALSE(refused.ok()) << body.size();
    EXPECT_EQ(refused.error().reason(), tables::reasons::kSerialization) << body.size();
  }
}

struct AcceptCase {
  std::string_view header;
  bool accepted = false;
};

// Proves that gzip is used when it is asked for, by name or by `*`, and not when it is ruled out.
TEST(GzipTest, ReadsAcceptEncoding) {
  for (const AcceptCase& each : std::initializer_list<AcceptCase>{
           {"gzip", true},
           {"GZIP, identity", true},
           {"deflate, gzip;q=0.8", true},
           {"br , gzip ;q=0.001", true},
           {"*", true},
           {"dog,, gzip ,cat", true},
           {"", false},
           {"identity", false},
           {"deflate, br, zstd", false},
           {"x-gzip", false},
           {"gzip;q=0", false},
           {"gzip; q = 0.000", false},
           {"*, gzip;q=0", false},
           {"*;q=0", false},
       }) {
    EXPECT_EQ(AcceptsGzip(each.header), each.accepted) << each.header;
  }
}

}  // namespace
}  // namespace tintype::http::dynamodb
