#include "crypto/digest.h"

#include <gtest/gtest.h>

#include "base/hex.h"
#include "crypto/hmac_key.h"

namespace tintype::crypto {
namespace {

// The digests of "abc" in the standards.
TEST(DigestTest, KnowsTheStandards) {
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(ToHex(Md5("abc")), "900150983cd24fb0d6963f7d28e17f72");
  Digest sha1(DigestKind::kSha1);
  sha1.Update("abc");
  EXPECT_EQ(ToHex(sha1.Value()), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

// Pieces add up, and a look in between changes nothing.
TEST(DigestTest, TakesPieces) {
  Digest digest(DigestKind::kSha256);
  digest.Update("a");
  EXPECT_EQ(ToHex(digest.Value()), Sha256Hex("a"));
  digest.Update("bc");
  const Digest moved = std::move(digest);
  EXPECT_EQ(ToHex(moved.Value()), Sha256Hex("abc"));
}

// RFC 4231, cases 2 and 6 (a key longer than a block).
TEST(DigestTest, AuthenticatesAsTheStandardSays) {
  EXPECT_EQ(ToHex(Bytes(HmacSha256("Jefe", "what do ya want for nothing?"))),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(ToHex(Bytes(HmacSha256(std::string(131, '\xAA'),
                                   "Test Using Larger Than Block-Size Key - Hash Key First"))),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

// Proves that a kept key gives the same, as often as it is used.
TEST(DigestTest, AuthenticatesByAKeptKey) {
  for (const std::string& key : {std::string("Jefe"), std::string(131, '\xAA')}) {
    const HmacKey kept(key);
    for (const std::string& text : {std::string(), std::string("what"), std::string(500, 'x')}) {
      EXPECT_EQ(kept.Of(text), HmacSha256(key, text));
    }
  }
}

// RFC 5869, test case 1.
TEST(DigestTest, DerivesAsTheStandardSays) {
  std::string salt;
  for (char c = 0; c <= 12; ++c) {
    salt.push_back(c);
  }
  EXPECT_EQ(ToHex(HkdfSha256(std::string(22, '\x0B'), salt,
                             "\xF0\xF1\xF2\xF3\xF4\xF5\xF6\xF7\xF8\xF9", 42)),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
}

TEST(DigestTest, ComparesAllOfIt) {
  EXPECT_TRUE(EqualInConstantTime("abc", "abc"));
  EXPECT_FALSE(EqualInConstantTime("abc", "abd"));
  EXPECT_FALSE(EqualInConstantTime("abc", "ab"));
}

}  // namespace
}  // namespace tintype::crypto
