#include "words/comprehend_json.h"

#include <gtest/gtest.h>

#include "json/value.h"

namespace tintype::words {
namespace {

// Proves the shape of DetectKeyPhrases.
TEST(ComprehendJsonTest, WritesKeyPhrases) {
  EXPECT_EQ(KeyPhrasesJson({{"old \"lamp\"", 0.5, 3, 13, 2}}, "en"),
            R"({"KeyPhrases":[{"Score":0.5,"Text":"old \"lamp\"","BeginOffset":3,"EndOffset":13,)"
            R"("Count":2}],"LanguageCode":"en","Method":"RAKE; Score is relative to the best )"
            R"(phrase of the text, Begin- and EndOffset are of the first mention"})");
  EXPECT_EQ(KeyPhrasesJson({}, "").substr(0, 27), R"({"KeyPhrases":[],"Method":")");
}

// Proves the shape of DetectEntities.
TEST(ComprehendJsonTest, WritesEntities) {
  EXPECT_EQ(EntitiesJson({{EntityType::kLocation, "France", 0.75, 0, 6}}, "en"),
            R"({"Entities":[{"Score":0.75,"Type":"LOCATION","Text":"France","BeginOffset":0,)"
            R"("EndOffset":6}],"LanguageCode":"en","Method":"rules and word lists, places from )"
            R"(iso-codes; Score is that of the rule"})");
  EXPECT_EQ(EntitiesJson({}, "").substr(0, 25), R"({"Entities":[],"Method":")");
}

// Proves the shape of DetectSentiment, and that what is said of nothing is neutral.
TEST(ComprehendJsonTest, WritesSentiment) {
  EXPECT_EQ(SentimentJson({}, "en"),
            R"({"Sentiment":"NEUTRAL","SentimentScore":{"Positive":0,"Negative":0,"Neutral":1,)"
            R"("Mixed":0},"LanguageCode":"en","Method":"AFINN-165 lexicon with negation and )"
            R"(intensifiers; scores are shares of the text"})");
  const Sentiment mixed{SentimentLabel::kMixed, 0.25, 0, 0.25, 0.5};
  const auto json = json::Parse(SentimentJson(mixed, ""), 1000);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(*json->Find("Sentiment")->text(), "MIXED");
  EXPECT_EQ(json->Find("LanguageCode"), nullptr);
}

}  // namespace
}  // namespace tintype::words
