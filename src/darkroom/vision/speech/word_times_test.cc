#include "darkroom/vision/speech/word_times.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tintype::darkroom::vision {
namespace {

/// A model with two heads, which look at a hundred steps for each token, from those on.
Attention LookingAt(const std::vector<size_t>& begins) {
  Attention attention;
  attention.heads = 2;
  for (const size_t begin : begins) {
    for (size_t head = 0; head < attention.heads; ++head) {
      std::vector<float> row(kAttentionSteps, 0.0001F);
      std::fill_n(row.begin() + static_cast<std::ptrdiff_t>(begin), 100, 0.01F);
      attention.rows.insert(attention.rows.end(), row.begin(), row.end());
    }
  }
  return attention;
}

// Proves that tokens begin where the model looks for them, and never before the last one.
TEST(WordTimesTest, FollowsTheAttention) {
  const auto times = TokenTimes(LookingAt({0, 100, 200, 300}), 4, 400);
  ASSERT_EQ(times.size(), 5U);
  EXPECT_EQ(times[0], 0);
  EXPECT_NEAR(times[1], 100, 5);
  EXPECT_NEAR(times[2], 200, 5);
  EXPECT_NEAR(times[3], 300, 5);
  EXPECT_EQ(times[4], 400);
  const auto confused = TokenTimes(LookingAt({300, 0, 200, 100}), 4, 400);
  EXPECT_TRUE(std::is_sorted(confused.begin(), confused.end()));
}

// Proves that nothing and too little are no trouble.
TEST(WordTimesTest, TakesLittle) {
  EXPECT_EQ(TokenTimes({}, 0, 100), (std::vector<int32_t>{100}));
  EXPECT_EQ(TokenTimes({}, 2, 100), (std::vector<int32_t>{0, 0, 100}));
  const auto more_tokens_than_steps = TokenTimes(LookingAt({0, 0, 0, 0}), 4, 2);
  EXPECT_EQ(more_tokens_than_steps.size(), 5U);
  EXPECT_TRUE(std::is_sorted(more_tokens_than_steps.begin(), more_tokens_than_steps.end()));
}

std::string Words(std::string_view json, std::string_view language, int32_t tokens) {
  const auto vocabulary = Vocabulary::Parse(json);
  std::vector<WrittenToken> written;
  std::vector<int64_t> times = {0};
  for (int32_t i = 0; i < tokens; ++i) {
    written.push_back({i, std::log(0.5)});
    times.push_back((i + 1) * 10);
  }
  std::string text;
  for (const SpeechWord& word : WordsOf(vocabulary.value(), language, written, times)) {
    EXPECT_NEAR(word.confidence, 0.5, 1e-9);
    text +=
        word.text + "@" + std::to_string(word.begin_ms) + "-" + std::to_string(word.end_ms) + " ";
  }
  return text;
}

// Proves that words are told by their blanks, and have the marks that stand with them.
TEST(WordTimesTest, WordsHaveTheirMarks) {
  EXPECT_EQ(Words(R"({"\u0120Do": 0, "wn": 1, ",": 2, "\u0120by": 3, "\u0120.": 4, "\u0120it": 5})",
                  "en", 6),
            "Down,@0-30 by .@30-50 it@50-60 ");
}

// Proves that without blanks each token is a word, but for marks and for parts of a character.
TEST(WordTimesTest, TokensAreWordsWithoutBlanks) {
  EXPECT_EQ(
      Words(R"({"\u00e6\u0139\u00a5": 0, "\u00e6\u013e": 1, "\u00ac": 2, "\u00e3\u0122\u0124": 3})",
            "ja", 4),
      "日@0-10 本。@10-40 ");
}

// Proves that bytes which are no text, or control, are left out of words.
TEST(WordTimesTest, WordsAreClean) {
  EXPECT_EQ(Words(R"({"\u0120a": 0, "\u0101": 1, "\u0120\u0122\u0101": 2, "\u0120b": 3})", "en", 4),
            "a@0-20 b@30-40 ");
}

}  // namespace
}  // namespace tintype::darkroom::vision
