#include "words/sentiment.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"

namespace tintype::words {
namespace {

// A few entries, in the form of the list.
constexpr std::string_view kLexicon =
    R"({"good":3,"great":3,"love":3,"nice":3,"happy":3,"bad":-3,"terrible":-3,"hate":-3,"sad":-2,)"
    R"("no":-1,"super":3,"not working":-3,"fed up":-3,"can't stand":-3,"worst":-3,"broken":-1})";

SentimentLexicon Lexicon() {
  Result<SentimentLexicon> lexicon = SentimentLexicon::Parse(kLexicon);
  EXPECT_TRUE(lexicon.ok());
  return *std::move(lexicon);
}

Sentiment Of(std::string_view text) { return FindSentiment(text, Lexicon()); }

// Proves that the label follows from the words, and that the four scores add up to one.
TEST(SentimentTest, TellsFourLabels) {
  struct Case {
    std::string_view text;
    SentimentLabel label;
  };
  for (const auto& [text, label] : {
           Case{"I love this place, it is great.", SentimentLabel::kPositive},
           Case{"A terrible day. I hate the rain.", SentimentLabel::kNegative},
           Case{"The table stands in the room.", SentimentLabel::kNeutral},
           Case{"Great sound and nice colour, but a terrible and bad keyboard.",
                SentimentLabel::kMixed},
           Case{"", SentimentLabel::kNeutral},
           Case{"12345 !!! \xff\xfe", SentimentLabel::kNeutral},
       }) {
    const Sentiment found = Of(text);
    EXPECT_EQ(found.label, label) << text;
    EXPECT_NEAR(found.positive + found.negative + found.neutral + found.mixed, 1, 1e-9) << text;
    EXPECT_GE(std::min({found.positive, found.negative, found.neutral, found.mixed}), 0) << text;
  }
}

// Proves that a denial turns round what is said within its clause, and no further.
TEST(SentimentTest, UnderstandsDenials) {
  EXPECT_GT(Of("This is good").positive, 0);
  EXPECT_EQ(Of("This is not good").positive, 0);
  EXPECT_GT(Of("This is not good").negative, 0);
  EXPECT_LT(Of("This is not good").negative, Of("This is bad").negative);
  EXPECT_GT(Of("It isn\u2019t bad").positive, 0);
  EXPECT_GT(Of("Not today. Good").positive, 0) << "another sentence";
  EXPECT_GT(Of("Not that one of them was good").positive, 0) << "too far away";
  EXPECT_GT(Of("never not good").positive, 0) << "twice";
}

// Proves that words of degree act upon what follows, and say nothing by themselves.
TEST(SentimentTest, UnderstandsDegrees) {
  EXPECT_GT(Of("very good").positive, Of("It is good").positive);
  EXPECT_LT(Of("slightly good").positive, Of("is good").positive);
  EXPECT_EQ(Of("super").positive, 0);
  EXPECT_EQ(Of("no").negative, 0);
}

// Proves that phrases count as a whole, and the longer one before its parts.
TEST(SentimentTest, FindsPhrases) {
  EXPECT_GT(Of("The lift is not working").negative, 0);
  EXPECT_EQ(Of("The lift is working").negative, 0);
  EXPECT_GT(Of("I am FED UP").negative, 0);
  EXPECT_GT(Of("I can't stand it").negative, 0);
  EXPECT_EQ(Of("fed, up").negative, 0) << "not across a comma";
}

// Proves that what is no lexicon is refused.
TEST(SentimentTest, RefusesDamagedLexicons) {
  for (const std::string_view json : {"", "[]", "{}", "3", R"({"a":"b"})", R"({"a":6})",
                                      R"({"":1})", R"({"a":1)", R"({"a b c d e f g h i":1})"}) {
    const auto lexicon = SentimentLexicon::Parse(json);
    ASSERT_FALSE(lexicon.ok()) << json;
    EXPECT_EQ(lexicon.error().kind(), ErrorKind::kCorruption) << json;
  }
  EXPECT_EQ(Lexicon().words_max(), 2U);
}

}  // namespace
}  // namespace tintype::words
