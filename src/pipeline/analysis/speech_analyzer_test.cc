#include "pipeline/analysis/speech_analyzer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contexts/common/item.h"
#include "json/value.h"

// What is said, in the shape of Amazon Transcribe.

namespace tintype::pipeline {
namespace {

using ::testing::HasSubstr;

darkroom::Transcript Said() {
  darkroom::Transcript transcript;
  transcript.language = "ko";
  transcript.language_confidence = 0.75;
  transcript.duration_ms = 4'000'000;
  transcript.segments = {
      {1'000,
       2'500,
       "Hello, <you>!",
       0.5,
       {{"Hello,", 1'000, 1'500, 0.75}, {"<you>!", 1'600, 2'500, 0.25}}},
      {3'661'234, 3'662'234, "...", 1, {{"...", 3'661'234, 3'662'234, 1}}},
  };
  return transcript;
}

// Proves that words and the marks behind them are items of their own, that segments name theirs,
// and that times are seconds.
TEST(TranscribeJsonTest, HasWordsAndMarks) {
  const auto json = json::Parse(TranscribeJson(Said(), "job-1", "Whisper tiny"), 1 << 20).value();
  EXPECT_EQ(*json.Find("jobName")->text(), "job-1");
  const json::Value& results = *json.Find("results");
  EXPECT_EQ(*results.Find("language_code")->text(), "ko-KR");
  EXPECT_EQ(*results.Find("transcripts")->array()->front().Find("transcript")->text(),
            "Hello, <you>! ...");
  const json::Value::Array& items = *results.Find("items")->array();
  ASSERT_EQ(items.size(), 5U);
  const auto content = [&](size_t i) {
    return *items[i].Find("alternatives")->array()->front().Find("content")->text();
  };
  EXPECT_EQ(content(0), "Hello");
  EXPECT_EQ(content(1), ",");
  EXPECT_EQ(*items[1].Find("type")->text(), "punctuation");
  EXPECT_EQ(items[1].Find("start_time"), nullptr) << "a mark takes no time";
  EXPECT_EQ(content(2), "<you>");
  EXPECT_EQ(*items[2].Find("start_time")->text(), "1.600");
  EXPECT_EQ(content(4), "...");
  const json::Value::Array& segments = *results.Find("audio_segments")->array();
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(segments[0].Find("items")->array()->size(), 4U);
  EXPECT_EQ(segments[1].Find("items")->array()->front().integer(), 4);
  EXPECT_EQ(*segments[1].Find("start_time")->text(), "3661.234");
}

// Proves that silence is an answer: nothing said, in no language.
TEST(TranscribeJsonTest, OfSilence) {
  const auto json = json::Parse(TranscribeJson({}, "job", "Whisper tiny"), 1 << 20).value();
  EXPECT_EQ(json.Find("results")->Find("language_code"), nullptr);
  EXPECT_EQ(*json.Find("results")->Find("transcripts")->array()->front().Find("transcript")->text(),
            "");
  EXPECT_EQ(WebVtt({}), "WEBVTT\n");
  const tables::Item item = TranscribeDetails({}, "job");
  const contexts::ItemReader details(item);
  EXPECT_FALSE(details.Has("languageCode"));
  EXPECT_FALSE(details.Has("confidence"));
}

// Proves that captions have hours, and that nothing that was said is markup.
TEST(WebVttTest, EscapesWhatWasSaid) {
  EXPECT_EQ(WebVtt(Said()),
            "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello, &lt;you&gt;!\n"
            "\n01:01:01.234 --> 01:01:02.234\n...\n");
}

// Proves that the record says in which language it is, how sure that is by length, and why there
// are no speakers.
TEST(TranscribeDetailsTest, HasWhatTheDocumentHas) {
  const tables::Item item = TranscribeDetails(Said(), "job-1");
  const contexts::ItemReader details(item);
  EXPECT_EQ(details.Text("languageCode"), "ko-KR");
  EXPECT_NEAR(details.Decimal("confidence"), (1'500 * 0.5 + 1'000 * 1) / 2'500, 1e-6);
  EXPECT_EQ(details.Text("jobName"), "job-1");
  EXPECT_TRUE(details.Has("speakers"));
  EXPECT_THAT(details.Text("speakersReason"), HasSubstr("voices"));
}

// Proves that languages are named as Transcribe names them, and others as they are.
TEST(LocaleTest, NamesACountry) {
  EXPECT_EQ(LocaleOf("en"), "en-US");
  EXPECT_EQ(LocaleOf("ja"), "ja-JP");
  EXPECT_EQ(LocaleOf("haw"), "haw");
  EXPECT_EQ(LocaleOf(""), "");
}

}  // namespace
}  // namespace tintype::pipeline
