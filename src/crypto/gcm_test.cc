#include "crypto/gcm.h"

#include <gtest/gtest.h>

#include "base/hex.h"

namespace tintype::crypto {
namespace {

const std::string kKey(kGcmKeyBytes, 'k');
const std::string kNonce(kGcmNonceBytes, 'n');

// A text comes back, and only under the key, the nonce and the header that it was sealed with.
TEST(GcmTest, OpensWhatItSealed) {
  const std::string sealed = SealGcm(kKey, kNonce, "header", "text");
  EXPECT_EQ(sealed.size(), 4 + kGcmTagBytes);
  EXPECT_EQ(OpenGcm(kKey, kNonce, "header", sealed), "text");
  EXPECT_EQ(OpenGcm(std::string(kGcmKeyBytes, 'x'), kNonce, "header", sealed), std::nullopt);
  EXPECT_EQ(OpenGcm(kKey, std::string(kGcmNonceBytes, 'x'), "header", sealed), std::nullopt);
  EXPECT_EQ(OpenGcm(kKey, kNonce, "other", sealed), std::nullopt);
}

// GCM, test case 14 of its specification.
TEST(GcmTest, SealsAsTheStandardSays) {
  EXPECT_EQ(ToHex(SealGcm(std::string(kGcmKeyBytes, '\0'), std::string(kGcmNonceBytes, '\0'), "",
                          std::string(16, '\0'))),
            "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919");
}

// Each flipped bit is noticed, and so is a missing end.
TEST(GcmTest, NoticesEveryBit) {
  const std::string sealed = SealGcm(kKey, kNonce, "header", "text");
  for (size_t bit = 0; bit < sealed.size() * 8; ++bit) {
    std::string damaged = sealed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_EQ(OpenGcm(kKey, kNonce, "header", damaged), std::nullopt) << bit;
  }
  for (size_t size = 0; size < sealed.size(); ++size) {
    EXPECT_EQ(OpenGcm(kKey, kNonce, "header", sealed.substr(0, size)), std::nullopt) << size;
  }
}

}  // namespace
}  // namespace tintype::crypto
