#include "words/text_tokens.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "words/characters.h"

namespace tintype::words {
namespace {

std::string Joined(std::string_view text) {
  std::string joined;
  for (const TextToken& token : Tokenize(text)) {
    StrAppend(joined, token.In(text), "|");
  }
  return joined;
}

// Proves what words, numbers and marks are.
TEST(TextTokensTest, TakesTextApart) {
  EXPECT_EQ(Joined("Don't panic: it\u2019s 3.5 km!"), "Don't|panic|:|it\u2019s|3.5|km|!|");
  EXPECT_EQ(Joined("state-of-the-art - COVID-19, 5kg"), "state-of-the-art|-|COVID-19|,|5|kg|");
  EXPECT_EQ(Joined("東京でカメラを買った。"), "東京|で|カメラ|を|買|った|。|");
  EXPECT_EQ(Joined("2024年 AI技術"), "2024|年|AI|技術|");
  EXPECT_EQ(Joined("한국에서 왔다"), "한국에서|왔다|");
  EXPECT_EQ(Joined(""), "");
  EXPECT_EQ(Joined(" \n\t\u00a0\u3000"), "");
}

// Proves that places are counted in bytes and in characters, damaged bytes as one character each.
TEST(TextTokensTest, CountsCharacters) {
  const std::string_view text = "é\xff\xe2\x82 ü€x";
  const auto tokens = Tokenize(text);
  ASSERT_EQ(tokens.size(), 7U);
  EXPECT_EQ(tokens[0].In(text), "é");
  EXPECT_EQ(tokens[1].begin_character, 1U);
  EXPECT_EQ(tokens[3].begin_character, 3U) << "the second byte of a torn character";
  EXPECT_EQ(tokens[4].In(text), "ü");
  EXPECT_EQ(tokens[4].begin_character, 5U);
  EXPECT_EQ(tokens[6].end_character, 8U);
}

// Proves that paragraphs are told from lines that go on.
TEST(TextTokensTest, SeesEmptyLines) {
  const auto tokens = Tokenize("one\ntwo\r\n\r\nthree");
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_FALSE(tokens[1].after_gap);
  EXPECT_TRUE(tokens[1].after_blank);
  EXPECT_TRUE(tokens[2].after_gap);
}

// Proves that a text is cut where a character begins, and only when it is too long.
TEST(BoundedTest, CutsBetweenCharacters) {
  for (const std::string_view character : {"a", "é", "€", "😀", "\xff"}) {
    for (size_t before = 0; before < 5; ++before) {
      std::string text(before, '.');
      while (text.size() <= kTextBytesMax + 8) {
        text += character;
      }
      const std::string_view cut = Bounded(text);
      ASSERT_LE(cut.size(), kTextBytesMax);
      ASSERT_GT(cut.size() + character.size(), kTextBytesMax);
      ASSERT_EQ((cut.size() - before) % character.size(), 0U) << character << before;
    }
  }
  const std::string fits(kTextBytesMax, 'x');
  EXPECT_EQ(Bounded(fits).size(), kTextBytesMax);
}

// Proves that overlong forms, surrogates and what is no character count byte by byte.
TEST(DecodeTest, ToleratesWhatIsNoCharacter) {
  for (const std::string_view bytes :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
        "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x82", "\xf0\x9f\x98", "\xc3(", "\xff"}) {
    EXPECT_EQ(DecodeFirst(bytes).character, char32_t{0xFFFD});
    EXPECT_EQ(DecodeFirst(bytes).bytes, 1U);
  }
  EXPECT_EQ(DecodeFirst("\xf4\x8f\xbf\xbf").character, char32_t{0x10FFFF});
  EXPECT_EQ(DecodeFirst("\xed\x9f\xbf").character, char32_t{0xD7FF});
}

// Proves that letters of the three scripts with capitals become small, and others stay.
TEST(LoweredTest, KnowsThreeScripts) {
  EXPECT_EQ(Lowered("ÄÖÜ ẞ ÉÇÑ ŁŚŻ ĚŘŽ İ Ÿ"), "äöü ß éçñ łśż ěřž i ÿ");
  EXPECT_EQ(Lowered("ΑΆΈΌΏ Σίγμα"), "αάέόώ σίγμα");
  EXPECT_EQ(Lowered("ЁЖЩ ІЇЄҐ"), "ёжщ іїєґ");
  EXPECT_EQ(Lowered("東京 ABC\xff×÷"), "東京 abc\xff×÷");
  EXPECT_TRUE(BeginsUpper("Ökonom"));
  EXPECT_FALSE(BeginsUpper("ökonom"));
  EXPECT_FALSE(BeginsUpper("東京"));
  EXPECT_FALSE(BeginsUpper(""));
}

}  // namespace
}  // namespace tintype::words
