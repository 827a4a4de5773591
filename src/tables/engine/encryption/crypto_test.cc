// The algorithms give the answers that their standards print.

#include "tables/engine/encryption/crypto.h"

#include <gtest/gtest.h>

#include <random>

#include "base/hex.h"

namespace tintype::tables::engine {
namespace {

std::string FromHex(std::string_view digits) {
  std::string bytes;
  for (size_t i = 0; i < digits.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

SecretKey ZeroKey() { return *SecretKey::FromBytes(std::string(SecretKey::kBytes, '\0')); }

// RFC 5869, test case 1; RFC 4231, test case 2; FIPS 180, "abc".
TEST(CryptoTest, DerivesAndHashesAsTheStandardsSay) {
  EXPECT_EQ(ToHex(HkdfSha256(std::string(22, '\x0b'), FromHex("000102030405060708090a0b0c"),
                             FromHex("f0f1f2f3f4f5f6f7f8f9"), 42)),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
  EXPECT_EQ(ToHex(HmacSha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(ToHex(Sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// The key stream is AES of the block's number: of 0, 1 and 2 under a key of zeros, as the tests of
// AES and GCM (cases 13 and 14 of its specification) print them.
TEST(CryptoTest, TheCounterIsTheNumberOfTheBlock) {
  std::string text(48, '\0');
  AesCtr(ZeroKey(), 0, text.data(), text.data(), text.size());
  EXPECT_EQ(ToHex(text),
            "dc95c078a2408989ad48a21492842087"
            "530f8afbc74536b9a963b4f1c4cb738b"
            "cea7403d4d606b6e074ec5d3baf39d18");
}

// Whatever pieces a text is encrypted in, and wherever they begin, the bytes are the same.
TEST(CryptoTest, AnyPieceIsEncryptedAsThePartOfTheWhole) {
  const uint32_t seed = std::random_device()();
  std::mt19937 random(seed);
  const SecretKey key = SecretKey::Random();
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

// GCM, test case 14; then every bit of what is sealed, of its header and its nonce counts.
TEST(CryptoTest, WhatIsSealedOpensOnlyUnchanged) {
  const std::string nonce(kGcmNonceBytes, '\0');
  EXPECT_EQ(ToHex(SealGcm(ZeroKey(), nonce, "", std::string(16, '\0'))),
            "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919");

  const SecretKey key = SecretKey::Random();
  const std::string sealed = SealGcm(key, nonce, "header", "text");
  EXPECT_EQ(OpenGcm(key, nonce, "header", sealed), "text");
  EXPECT_EQ(OpenGcm(SecretKey::Random(), nonce, "header", sealed), std::nullopt);
  EXPECT_EQ(OpenGcm(key, nonce, "Header", sealed), std::nullopt);
  EXPECT_EQ(OpenGcm(key, std::string(kGcmNonceBytes, '\1'), "header", sealed), std::nullopt);
  for (size_t i = 0; i < sealed.size(); ++i) {
    std::string damaged = sealed;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_EQ(OpenGcm(key, nonce, "header", damaged), std::nullopt) << i;
    EXPECT_EQ(OpenGcm(key, nonce, "header", sealed.substr(0, i)), std::nullopt) << i;
  }
}

}  // namespace
}  // namespace tintype::tables::engine
