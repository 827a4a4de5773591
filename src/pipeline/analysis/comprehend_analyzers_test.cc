#include <gtest/gtest.h>

#include "json/value.h"
#include "pipeline/analysis/sentiment_analyzer.h"
#include "pipeline/analysis/source_text.h"

// What the analyzers of texts read, and when they have nothing to say. tests/product has the rest.

namespace tintype::pipeline {
namespace {

constexpr std::string_view kLexicon = R"({"good":3,"bad":-3})";

// Proves that the first transcript counts, in the language that the transcript says.
TEST(TranscriptTest, IsRead) {
  const auto source = ParseTranscript(
      R"({"jobName":"x","results":{"language_code":"en-US","transcripts":[{"transcript":"Hi"},)"
      R"({"transcript":"Ho"}],"items":[{"type":"pronunciation"}]},"status":"COMPLETED"})");
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source->text, "Hi");
  EXPECT_EQ(source->language, "en");
}

// Proves which languages are taken from a transcript: others are left to be told by the text.
TEST(TranscriptTest, TakesLanguagesThatAreSome) {
  for (const auto& [locale, language] :
       std::vector<std::pair<std::string, std::string>>{{"ko-KR", "ko"},
                                                        {"DE", "de"},
                                                        {"nb-NO", "no"},
                                                        {"zh_TW", "zh"},
                                                        {"", ""},
                                                        {"english", ""},
                                                        {"e1", ""},
                                                        {"-", ""}}) {
    const auto source =
        ParseTranscript(R"({"results":{"transcripts":[],"language_code":")" + locale + R"("}})");
    ASSERT_TRUE(source.ok()) << locale;
    EXPECT_EQ(source->language, language) << locale;
    EXPECT_EQ(source->text, "");
  }
}

// Proves that what is no transcript is damage, not silence.
TEST(TranscriptTest, RefusesWhatIsNone) {
  for (const std::string_view json :
       {"", "[]", "{}", R"({"results":3})", R"({"results":{"transcripts":{}}})",
        R"({"results":{"transcripts":[3]}})", R"({"results":{"transcripts":[{}]}})",
        R"({"results":{"transcripts":[{"transcript":3}]}})"}) {
    const auto source = ParseTranscript(json);
    ASSERT_FALSE(source.ok()) << json;
    EXPECT_EQ(source.error().kind(), ErrorKind::kCorruption) << json;
  }
}

// Proves that nothing said is neutral, and that another language is skipped and says why.
TEST(SentimentAnalyzerTest, SpeaksEnglishAlone) {
  const auto label = [](const SourceText& source) {
    const auto finding = SentimentOf(source, kLexicon);
    EXPECT_TRUE(finding.ok());
    return finding->skipped ? *finding->skipped
                            : *json::Parse(finding->json, 10'000)->Find("Sentiment")->text();
  };
  EXPECT_EQ(label({"This is good, good, good.", "en"}), "POSITIVE");
  EXPECT_EQ(label({"", ""}), "NEUTRAL");
  EXPECT_EQ(label({" \n", "de"}), "NEUTRAL");
  EXPECT_NE(label({"Das ist gut.", "de"}).find("'de'"), std::string::npos);
  EXPECT_NE(label({"Xyzzy", ""}).find("cannot be told"), std::string::npos);
}

// Proves that a damaged lexicon is an error that can go away.
TEST(SentimentAnalyzerTest, NeedsItsLexicon) {
  const auto finding = SentimentOf({"This is good.", "en"}, "[]");
  ASSERT_FALSE(finding.ok());
  EXPECT_EQ(finding.error().kind(), ErrorKind::kCorruption);
}

}  // namespace
}  // namespace tintype::pipeline
