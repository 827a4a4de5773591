#include "words/key_phrases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "words/characters.h"

namespace tintype::words {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> TextsOf(std::string_view text, std::string_view language) {
  std::vector<std::string> texts;
  for (const KeyPhrase& phrase : FindKeyPhrases(text, language)) {
    texts.push_back(phrase.text);
  }
  return texts;
}

// Proves that phrases lie between stop words, and that the longest and most frequent come first.
TEST(KeyPhrasesTest, FindsWhatATextIsAbout) {
  const std::string_view text =
      "The solar power plant is on the hill. A solar power plant needs sun, and the hill has it. "
      "Solar Power Plant!";
  const auto phrases = FindKeyPhrases(text, "en");
  ASSERT_FALSE(phrases.empty());
  EXPECT_EQ(phrases[0].text, "solar power plant");
  EXPECT_EQ(phrases[0].score, 1);
  EXPECT_EQ(phrases[0].begin, 4);
  EXPECT_EQ(phrases[0].end, 21);
  EXPECT_EQ(phrases[0].count, 2) << "a verb follows the second of three";
  EXPECT_THAT(TextsOf(text, "en"), Contains("hill"));
  EXPECT_THAT(TextsOf(text, "en"), Not(Contains("the hill")));
  EXPECT_TRUE(std::ranges::is_sorted(phrases, std::greater{}, &KeyPhrase::score));
}

// Proves that offsets are counted in characters.
TEST(KeyPhrasesTest, CountsCharacters) {
  const auto phrases = FindKeyPhrases("Über die €-Münzen: Königsmünze", "de");
  ASSERT_EQ(phrases.size(), 2U);
  EXPECT_EQ(phrases[0].text, "Münzen");
  EXPECT_EQ(phrases[0].begin, 11);
  EXPECT_EQ(phrases[0].end, 17);
  EXPECT_EQ(phrases[1].begin, 19);
}

// Proves that numbers, punctuation and empty lines end a phrase, and a single line break does not.
TEST(KeyPhrasesTest, EndsPhrases) {
  EXPECT_THAT(TextsOf("red\nbicycle\n\nshed 12 door", "en"),
              ElementsAre("red\nbicycle", "shed", "door"));
  EXPECT_THAT(TextsOf("one1 two2 three3 four4 five5 six6", "en"),
              ElementsAre("one1 two2 three3 four4", "five5 six6"));
}

// Proves what takes the place of stop words in languages without a list.
TEST(KeyPhrasesTest, FallsBackToLength) {
  EXPECT_THAT(TextsOf("a hajó és a kikötő", ""), ElementsAre("hajó", "kikötő"));
  EXPECT_THAT(TextsOf("a hajó és a kikötő", "hu"), ElementsAre("hajó", "kikötő"));
}

// Proves what is found in what is written without blanks.
TEST(KeyPhrasesTest, TakesRunsWithoutBlanks) {
  EXPECT_THAT(TextsOf("東京タワーは東京にある。", "ja"), ElementsAre("東京", "タワー"));
  EXPECT_EQ(FindKeyPhrases("東京タワーは東京にある。", "ja")[0].count, 2);
  EXPECT_THAT(TextsOf("他们的太阳能电站在山上。太阳能电站很大。", "zh"),
              ElementsAre("太阳能电站", "山上"));
  EXPECT_THAT(TextsOf("โรงไฟฟ้าและภูเขา", "th"), ElementsAre("โรงไฟฟ้า", "ภูเขา"));
  EXPECT_THAT(TextsOf("一二三四五六七八九十一二三四五", "zh"), IsEmpty())
      << "a clause is no phrase";
}

// Proves that there are no more than a hundred, of whatever text, and none of nothing.
TEST(KeyPhrasesTest, IsBounded) {
  std::string many;
  for (int i = 0; i < 300; ++i) {
    StrAppend(many, "word", std::string(1, static_cast<char>('a' + i % 26)), i, ". ");
  }
  EXPECT_EQ(FindKeyPhrases(many, "en").size(), kKeyPhrasesMax);
  EXPECT_THAT(FindKeyPhrases("", "en"), IsEmpty());
  EXPECT_THAT(FindKeyPhrases("the and of", "en"), IsEmpty());
  EXPECT_THAT(FindKeyPhrases("\xff\x80\xfe", ""), IsEmpty());
  std::string far(kTextBytesMax, '.');
  far += " lighthouse";
  EXPECT_THAT(FindKeyPhrases(far, "en"), IsEmpty()) << "what lies behind the bound";
}

}  // namespace
}  // namespace tintype::words
