#include "base/base64.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace tintype {
namespace {

// The examples of RFC 4648, both ways.
TEST(Base64Test, WritesAndReads) {
  const std::pair<std::string, std::string> rows[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"\xFB\xFF", "+/8="},
  };
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(Base64(bytes), text);
    EXPECT_EQ(ParseBase64(text), bytes);
    EXPECT_EQ(ParseBase64Url(Base64Url(bytes)), bytes);
  }
  EXPECT_EQ(Base64Url("\xFB\xFF"), "-_8");
  EXPECT_EQ(ParseBase64("Zg"), "f");
}

TEST(Base64Test, ReadsBackAnyBytes) {
  for (size_t count = 0; count < 200; ++count) {
    const std::string bytes = RandomBytes(count);
    EXPECT_EQ(ParseBase64(Base64(bytes)), bytes);
    EXPECT_EQ(ParseBase64Url(Base64Url(bytes)), bytes);
  }
}

// One value has one text, and one alphabet.
TEST(Base64Test, RefusesOtherSpellings) {
  for (const char* text :
       {"Zh==", "Zg=", "Z", "Zm9=", "Zg===", "Z g=", "-_8=", "Zm9v=", "=", "===="}) {
    EXPECT_EQ(ParseBase64(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseBase64("Zh==", StrayBits::kIgnored), "f");
  EXPECT_EQ(ParseBase64("Z", StrayBits::kIgnored), std::nullopt);
  for (const char* text : {"+/8", "Zg==", "Zh", "A"}) {
    EXPECT_EQ(ParseBase64Url(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace tintype
