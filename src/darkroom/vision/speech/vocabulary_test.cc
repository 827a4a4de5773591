#include "darkroom/vision/speech/vocabulary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace tintype::darkroom::vision {
namespace {

// Proves that each letter of a token stands for a byte: a blank, a newline, half a character.
TEST(VocabularyTest, ReadsBytes) {
  const auto vocabulary = Vocabulary::Parse(
      R"({"!": 0, "\u0120the": 1, "\u010A": 2, "\u00e2\u0138": 3, "Ġü" : 4, "\"\\": 5,)"
      R"( "<|endoftext|>": 50257})");
  ASSERT_TRUE(vocabulary.ok());
  EXPECT_EQ(vocabulary->TextOf(0), "!");
  EXPECT_EQ(vocabulary->TextOf(1), " the");
  EXPECT_EQ(vocabulary->TextOf(2), "\n");
  EXPECT_EQ(vocabulary->TextOf(3), "\xE2\x96");
  EXPECT_EQ(vocabulary->TextOf(4), " \xFC");
  EXPECT_EQ(vocabulary->TextOf(5), "\"\\");
  EXPECT_EQ(vocabulary->TextOf(6), "");
  EXPECT_EQ(vocabulary->TextOf(kEndToken), "") << "it is no text";
  EXPECT_EQ(vocabulary->TextOf(kFirstTimeToken), "");
  EXPECT_EQ(vocabulary->TextOf(-1), "");
}

// Proves that a vocabulary which makes no sense is refused, cut off anywhere and otherwise.
TEST(VocabularyTest, RefusesWhatMakesNoSense) {
  const std::string good = R"({"a": 1, "\u0120b": 2})";
  ASSERT_TRUE(Vocabulary::Parse(good).ok());
  for (size_t length = 0; length < good.size(); ++length) {
    EXPECT_FALSE(Vocabulary::Parse(good.substr(0, length)).ok()) << length;
  }
  for (const char* bad :
       {R"([1])", R"({"a": -1})", R"({"a": 51865})", R"({"a": 99999999999})", R"({"a": "b"})",
        R"({"\u20ac": 1})", R"({"€": 1})", R"({"\x": 1})", R"({"\u12": 1})", R"({"a" 1})"}) {
    EXPECT_FALSE(Vocabulary::Parse(bad).ok()) << bad;
  }
}

// Proves that what nobody says is never written: brackets and notes, at the beginning of a word
// too.
TEST(VocabularyTest, KnowsWhatNobodySays) {
  const auto vocabulary = Vocabulary::Parse(
      "{\"(\": 7, \"\xC4\xA0[\": 542, \"\xC4\xA0-\": 359, \"-\": 12, \"a\": 64,"
      " \"\\u00e2\\u013b\": 3268}");
  ASSERT_TRUE(vocabulary.ok());
  EXPECT_EQ(vocabulary->TextOf(3268), "\xE2\x99");
  EXPECT_EQ(vocabulary->unspoken(), (std::vector<int32_t>{7, 359, 542, 3268}));
}

// Proves that languages have the tokens of Whisper, each its own, by the codes of today.
TEST(VocabularyTest, NamesLanguages) {
  EXPECT_EQ(LanguageOf(50259), "en");
  EXPECT_EQ(LanguageOf(50261), "de");
  EXPECT_EQ(LanguageOf(50356), "jv");
  EXPECT_EQ(LanguageOf(50357), "su");
  EXPECT_EQ(LanguageOf(50358), "");
  EXPECT_EQ(LanguageOf(50258), "");
  EXPECT_EQ(TokenOfLanguage("zh"), 50260);
  EXPECT_EQ(TokenOfLanguage("xx"), std::nullopt);
  std::set<std::string_view> names;
  for (int32_t i = 0; i < kLanguageCount; ++i) {
    const std::string_view name = LanguageOf(kFirstLanguageToken + i);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(TokenOfLanguage(name), kFirstLanguageToken + i);
  }
  EXPECT_TRUE(HasNoBlanks("ja"));
  EXPECT_FALSE(HasNoBlanks("ko"));
}

}  // namespace
}  // namespace tintype::darkroom::vision
