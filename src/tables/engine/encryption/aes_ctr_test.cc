// AES in counter mode gives the answers that its standard prints.

#include "tables/engine/encryption/aes_ctr.h"
#include "crypto/secret_key.h"

#include <gtest/gtest.h>

#include <random>

#include "base/hex.h"

namespace tintype::tables::engine {
namespace {

crypto::SecretKey ZeroKey() {
  return *crypto::SecretKey::FromBytes(std::string(crypto::SecretKey::kBytes, '\0'));
}

// The key stream is AES of the block's number: of 0, 1 and 2 under a key of zeros, as the tests of
// AES and GCM (cases 13 and 14 of its specification) print them.
TEST(AesCtrTest, TheCounterIsTheNumberOfTheBlock) {
  std::string text(48, '\0');
  AesCtr(ZeroKey(), 0, text.data(), text.data(), text.size());
  EXPECT_EQ(ToHex(text),
            "dc95c078a2408989ad48a21492842087"
            "530f8afbc74536b9a963b4f1c4cb738b"
            "cea7403d4d606b6e074ec5d3baf39d18");
}

// The bytes are the same whatever pieces a text is encrypted in, and wherever they begin.
TEST(AesCtrTest, AnyPieceIsEncryptedAsThePartOfTheWhole) {
  const uint32_t seed = std::random_device()();
  std::mt19937 random(seed);
  const crypto::SecretKey key = crypto::SecretKey::Random();
  std::string plain(5000, '\0');
  for (char& c : plain) {
    c = static_cast<char>(random());
  }
  constexpr uint64_t kFar = (uint64_t{1} << 40) + 5;  // Beyond what 32 bits can count.
  for (const uint64_t base : {uint64_t{0}, kFar}) {
    std::string whole = plain;
    AesCtr(key, base, whole.data(), whole.data(), whole.size());
    for (int i = 0; i < 500; ++i) {
      const size_t at = random() % plain.size();
      const size_t size = random() % (plain.size() - at + 1);
      std::string piece(size, '\0');
      AesCtr(key, base + at, plain.data() + at, piece.data(), size);
      ASSERT_EQ(piece, whole.substr(at, size)) << "at " << at << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace tintype::tables::engine
