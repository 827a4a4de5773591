#include "crypto/public_key.h"

#include <gtest/gtest.h>

#include "base/base64.h"

namespace tintype::crypto {
namespace {

std::string Decode(std::string_view text) { return ParseBase64Url(text).value(); }

// A key of 2048 bits and its signatures of kText, made by the program openssl.
constexpr std::string_view kText = "signed by another issuer";
constexpr std::string_view kModulus =
    "9Z_eIWYiYWAaTDHnNrdXbU0-VEf1JrQwoWzqqe62rBg5xfTnoIfzw30vsBD4Cnh8hw0wsrYQLpzmXz8uzBy9Z-Sg"
    "OTVgW_IqVzp6Awg1LQCuqf6IXZ2vabfv4qt9MhocaZSMbROc3mDn6W-0q-yw9hBtHz1V_NRFB43vBZoixIkHvXjj"
    "RymTZi0cH8Wt27RN5_F1UvB8Z4NHv3SRlUS25ed0lxBL9k1TXqvtQ8hauIAxzGDZcnseZJ7arvT_WJX23dTYgRw7"
    "hp46vCs9jqBTq_6Xw3V26ssZ_XaR34XO6x0f3SDcOcnZv5zYBN_FvEtZaIJ-z3_f2r0g3WCScD9Nnw";
constexpr std::string_view kPkcs1 =
    "F1VLTuE9nHaczv9ubyV9GLr4g_1mpcW9tmHvx-oaDRokCVTPcZBEBz9XbIovPbuqSr_AQLjVYAYLWNfGEe1bjS9z"
    "HZI7bSYepKdy3_HtoCGKxQleVnmQzBMWjhoqUZMqIxB4mpiWmxyOz_SKvgKN_F4WqnHCIG7Xhq9btF8jO6DDwzPM"
    "iqXVY5xOq2fHgvuy54e18AEmu42pgskDpZJj2vdC-t2tZ7FpLozBKBzIBkTUJ8AU62EjVdeKN0bsx342eVPzYm2L"
    "zPrsgwkZ94zPlmR5OthJD34rhDeMYL2wXkuGN_LXDdHiOFY0hfpeYyGOnVY35Fa6OSyzwXeqcvjhTg";
constexpr std::string_view kPss =
    "22puHdO_0rics71Dfi42HpaA68q_LvPRTHXjEaUJVRb7wHp2re2u8yNXOaOFAXblSkBLU8cdPfelgnpzZTo3mzBv"
    "MGOBdveqUuUg6zEXzLWfV61PnequhwU736PrKFqqBxSYULDH4sjmJCHoEmzrDq-wb7RgCDYOsuF9QfCSUIRiiiLs"
    "cpNhPhS7HxBGMKlMDv0dcxFnBA-fmmQr2CtpHnROaax9bNrfxzIQypKZdXrWGN7UCte4jm7rtpco__Si5pczl5cm"
    "asfhbzYOMagRw8bZffvk727L84Gxmm13XVDF-yMVttI57F1qm2Igv6mE21rC-ngjUX_um--FCoqrKg";
constexpr std::string_view kPssOfShortSalt =
    "Z0gcPZ581DdUOGIMubB1upthZks_MUyZ-4_7GlYw3U0YFWn2c_DMju4xrNpwjLpMZg_Z29F_SHNv_kQXgt7DwIoM"
    "stSoBOeqcDq2ZRx4c7H2R_i7JesW5yrqBHOjxY2A6PJKMRj_DsZO17rhj9cL5O4kqueMUnNi4MboqEgUF4wEZ00G"
    "Isj9qo2q9RSQFEOVJjcGbmY-kBzLrh-o5dKxiirmKdU13vcQ_ruCT6o00NbhQZRUfgNkRhiWP3vd8irkndLuLWwC"
    "C2Zw7s1eS3SMDvSA3_k4VoVkQ9zYb3lw426g2jnsfkr1-7UpbJzWB0HHosNYHTsKmyW8jjnmRlzK0w";

constexpr std::string_view kExponent("\x01\x00\x01", 3);

PublicKey RsaKey() { return PublicKey::Rsa(Decode(kModulus), kExponent).value(); }

// RFC 7515, appendix A.3.
constexpr std::string_view kX = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
constexpr std::string_view kY = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";
constexpr std::string_view kEs256Text =
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
    "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
constexpr std::string_view kEs256 =
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

PublicKey P256Key() { return PublicKey::P256(Decode(kX), Decode(kY)).value(); }

// Each kind takes its own signatures, and no other's.
TEST(PublicKeyTest, VerifiesSignaturesOfItsKindAlone) {
  const PublicKey key = RsaKey();
  EXPECT_TRUE(key.Verify(SignatureKind::kRs256, kText, Decode(kPkcs1)));
  EXPECT_TRUE(key.Verify(SignatureKind::kPs256, kText, Decode(kPss)));
  EXPECT_FALSE(key.Verify(SignatureKind::kRs256, kText, Decode(kPss)));
  EXPECT_FALSE(key.Verify(SignatureKind::kPs256, kText, Decode(kPkcs1)));
  // RFC 7518 wants a salt as long as the digest.
  EXPECT_FALSE(key.Verify(SignatureKind::kPs256, kText, Decode(kPssOfShortSalt)));
  EXPECT_TRUE(P256Key().Verify(SignatureKind::kEs256, kEs256Text, Decode(kEs256)));
}

// A key of another type checks nothing: a token cannot choose how it is looked at.
TEST(PublicKeyTest, RefusesKindsOfOtherKeys) {
  EXPECT_FALSE(RsaKey().Fits(SignatureKind::kEs256));
  EXPECT_FALSE(RsaKey().Verify(SignatureKind::kEs256, kText, Decode(kPkcs1)));
  EXPECT_FALSE(P256Key().Fits(SignatureKind::kRs256));
  EXPECT_FALSE(P256Key().Verify(SignatureKind::kRs256, kEs256Text, Decode(kEs256)));
  EXPECT_FALSE(P256Key().Verify(SignatureKind::kPs256, kEs256Text, Decode(kEs256)));
}

// A bit anywhere, a byte more or less: no signature.
TEST(PublicKeyTest, RefusesWhatWasChanged) {
  const PublicKey rsa = RsaKey();
  const PublicKey p256 = P256Key();
  EXPECT_FALSE(rsa.Verify(SignatureKind::kRs256, "signed by another issues", Decode(kPkcs1)));
  for (const bool is_rsa : {true, false}) {
    const PublicKey& key = is_rsa ? rsa : p256;
    const SignatureKind kind = is_rsa ? SignatureKind::kRs256 : SignatureKind::kEs256;
    const std::string_view text = is_rsa ? kText : kEs256Text;
    const std::string right = Decode(is_rsa ? kPkcs1 : kEs256);
    for (size_t i = 0; i < right.size(); ++i) {
      std::string wrong = right;
      wrong[i] = static_cast<char>(wrong[i] ^ 1);
      EXPECT_FALSE(key.Verify(kind, text, wrong)) << i;
    }
    EXPECT_FALSE(key.Verify(kind, text, ""));
    EXPECT_FALSE(key.Verify(kind, text, right.substr(1)));
    EXPECT_FALSE(key.Verify(kind, text, right + '\0'));
    EXPECT_FALSE(key.Verify(kind, text, std::string(right.size(), '\0')));
  }
}

// Weak and impossible keys are refused when they are read, not when something is signed with them.
TEST(PublicKeyTest, RefusesBadKeys) {
  const std::string modulus = Decode(kModulus);
  ASSERT_TRUE(PublicKey::Rsa(modulus, kExponent).ok());
  EXPECT_FALSE(PublicKey::Rsa("", "").ok());
  EXPECT_FALSE(PublicKey::Rsa(modulus.substr(0, 128), kExponent).ok());
  EXPECT_FALSE(PublicKey::Rsa(std::string(1025, '\xff'), kExponent).ok());
  EXPECT_FALSE(PublicKey::Rsa(std::string(100'000, '\xff'), kExponent).ok());
  EXPECT_FALSE(PublicKey::Rsa(modulus, "").ok());
  EXPECT_FALSE(PublicKey::Rsa(modulus, "\x01").ok());
  EXPECT_FALSE(PublicKey::Rsa(modulus, "\x02").ok());
  EXPECT_FALSE(PublicKey::Rsa(modulus, std::string(9, '\xff')).ok());

  ASSERT_TRUE(PublicKey::P256(Decode(kX), Decode(kY)).ok());
  EXPECT_FALSE(PublicKey::P256("", "").ok());
  EXPECT_FALSE(PublicKey::P256(Decode(kX), Decode(kX)).ok());
  EXPECT_FALSE(PublicKey::P256(std::string(32, '\0'), std::string(32, '\0')).ok());
  EXPECT_FALSE(PublicKey::P256(Decode(kX) + '\0', Decode(kY)).ok());
}

}  // namespace
}  // namespace tintype::crypto
