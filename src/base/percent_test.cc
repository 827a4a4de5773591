#include "base/percent.h"

#include <gtest/gtest.h>

namespace tintype {
namespace {

// Every byte can be written, in digits of either case; a plus is no blank.
TEST(PercentTest, DecodesBytes) {
  EXPECT_EQ(PercentDecode(""), "");
  EXPECT_EQ(PercentDecode("%41%6a%6A+ "), "Ajj+ ");
  EXPECT_EQ(PercentDecode("%00"), std::string(1, '\0'));
  EXPECT_EQ(PercentDecode("%2541"), "%41");
  EXPECT_EQ(PercentDecodeLenient("%41%ff"), "A\xff");
}

// Text that is no escape is refused, or stays as it is.
TEST(PercentTest, KnowsWhatIsNoEscape) {
  for (const char* text : {"%", "%4", "a%", "%4g", "%g4", "%-1", "%+1", "% 1", "%%41"}) {
    EXPECT_EQ(PercentDecode(text), std::nullopt) << text;
  }
  EXPECT_EQ(PercentDecodeLenient("%%41%4%"), "%A%4%");
  EXPECT_EQ(PercentDecodeLenient("%-1"), "%-1");
}

// Proves which characters paths and queries keep.
TEST(PercentEncodedTest, EncodesAllButUnreservedCharacters) {
  EXPECT_EQ(PercentEncoded("a-_.~Z9/ +&=\xC3\xA4"), "a-_.~Z9%2F%20%2B%26%3D%C3%A4");
  EXPECT_EQ(PercentEncoded("images/a b", /*keep_slash=*/true), "images/a%20b");
}

}  // namespace
}  // namespace tintype
