#include "darkroom/vision/speech/token_rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "darkroom/vision/speech/vocabulary.h"

namespace tintype::darkroom::vision {
namespace {

constexpr int32_t kTime = kFirstTimeToken;
const TokenRules kWholeWindow = {{7, 359}, kTime + 1'500};

std::vector<WrittenToken> Written(const std::vector<int32_t>& tokens) {
  std::vector<WrittenToken> written;
  for (const int32_t token : tokens) {
    written.push_back({token, -0.5});
  }
  return written;
}

/// What may follow, when text is by far likelier than times.
std::vector<bool> Allowed(const std::vector<int32_t>& before,
                          const TokenRules& rules = kWholeWindow) {
  std::vector<float> logits(kTokenCount, 0);
  std::fill(logits.begin(), logits.begin() + kFirstTimeToken, 20);
  ApplyRules(rules, Written(before), logits);
  std::vector<bool> allowed;
  for (const float logit : logits) {
    allowed.push_back(std::isfinite(logit));
  }
  return allowed;
}

// Proves that a text begins with a time of the first second, and with nothing else.
TEST(TokenRulesTest, BeginsWithATime) {
  const auto allowed = Allowed({});
  EXPECT_FALSE(allowed[100]);
  EXPECT_FALSE(allowed[kEndToken]);
  EXPECT_FALSE(allowed[kNoSpeechToken]);
  EXPECT_TRUE(allowed[kTime]);
  EXPECT_TRUE(allowed[kTime + 50]);
  EXPECT_FALSE(allowed[kTime + 51]);
}

// Proves what follows what: text after a first time, a second time or the end after one that ends a
// text, and text again after two.
TEST(TokenRulesTest, TimesComeInPairs) {
  const auto after_first = Allowed({kTime});
  EXPECT_TRUE(after_first[100]);
  EXPECT_FALSE(after_first[kTime + 5]);
  EXPECT_FALSE(after_first[7]) << "nobody says it";
  EXPECT_FALSE(after_first[kTranscribeToken]);

  const auto after_text = Allowed({kTime + 10, 100});
  EXPECT_TRUE(after_text[101]);
  EXPECT_TRUE(after_text[kEndToken]);
  EXPECT_FALSE(after_text[kTime + 10]) << "it takes time";
  EXPECT_TRUE(after_text[kTime + 11]);

  const auto after_end = Allowed({kTime, 100, kTime + 20});
  EXPECT_FALSE(after_end[100]);
  EXPECT_TRUE(after_end[kEndToken]);
  EXPECT_FALSE(after_end[kTime + 19]);
  EXPECT_TRUE(after_end[kTime + 20]);

  const auto after_pair = Allowed({kTime, 100, kTime + 20, kTime + 20});
  EXPECT_TRUE(after_pair[100]);
  EXPECT_FALSE(after_pair[kTime + 30]);
}

// Proves that there is no time behind the end of the recording.
TEST(TokenRulesTest, EndsWithTheRecording) {
  const auto allowed = Allowed({kTime, 100}, {{}, kTime + 70});
  EXPECT_TRUE(allowed[kTime + 70]);
  EXPECT_FALSE(allowed[kTime + 71]);
}

// Proves that a time is written where all of them together are likelier than any text.
TEST(TokenRulesTest, PrefersTimesThatAddUp) {
  std::vector<float> logits(kTokenCount, -20);
  logits[100] = 2;
  std::fill(logits.begin() + kTime + 40, logits.begin() + kTime + 60, 1);
  ApplyRules(kWholeWindow, Written({kTime, 99}), logits);
  EXPECT_FALSE(std::isfinite(logits[100]));
  EXPECT_TRUE(std::isfinite(logits[kTime + 45]));
}

// Proves that the likeliest is picked, with its own probability, and by chance the others as often
// as they should be.
TEST(TokenRulesTest, PicksByLikelihood) {
  std::vector<float> logits(kTokenCount, -std::numeric_limits<float>::infinity());
  logits[5] = std::log(3.0F);
  logits[9] = std::log(1.0F);
  std::mt19937_64 random(1);
  EXPECT_EQ(PickToken(logits, 0, random).token, 5);
  EXPECT_NEAR(PickToken(logits, 0, random).log_probability, std::log(0.75), 1e-6);
  int fives = 0;
  for (int i = 0; i < 200; ++i) {
    const WrittenToken picked = PickToken(logits, 1, random);
    ASSERT_TRUE(picked.token == 5 || picked.token == 9) << picked.token;
    fives += picked.token == 5 ? 1 : 0;
  }
  EXPECT_NEAR(fives, 150, 25);
  EXPECT_NEAR(ProbabilityOf(logits, 9, 0, kTokenCount), 0.25, 1e-6);
  EXPECT_NEAR(ProbabilityOf(logits, 9, 8, 12), 1, 1e-6);
}

std::vector<int32_t> Repeated(const std::vector<int32_t>& tokens, int times) {
  std::vector<int32_t> all;
  for (int i = 0; i < times; ++i) {
    all.insert(all.end(), tokens.begin(), tokens.end());
  }
  return all;
}

// Proves that a text which runs in circles is noticed where it begins to, and that what people say
// several times is not one.
TEST(TokenRulesTest, FindsLoops) {
  EXPECT_EQ(FindLoop({}), std::nullopt);
  EXPECT_EQ(FindLoop(Repeated({4}, 9)), std::nullopt) << "no, no, no";
  EXPECT_EQ(FindLoop(Repeated({4}, 10)), 1U);
  EXPECT_EQ(FindLoop(Repeated({4, 5, 6, 7}, 3)), std::nullopt);
  EXPECT_EQ(FindLoop(Repeated({4, 5, 6, 7}, 4)), 4U);
  std::vector<int32_t> begins_well = {1, 2, 3};
  const std::vector<int32_t> loop = Repeated({4, 5, 6, 7, 8}, 4);
  begins_well.insert(begins_well.end(), loop.begin(), loop.end());
  EXPECT_EQ(FindLoop(begins_well), 8U);
  begins_well.push_back(9);
  EXPECT_EQ(FindLoop(begins_well), std::nullopt) << "it went on";
}

// Proves that a text which says much again and again is told from one that does not.
TEST(TokenRulesTest, KnowsRepetition) {
  std::vector<int32_t> different(60);
  std::iota(different.begin(), different.end(), 0);
  EXPECT_FALSE(IsRepetitive(different));
  EXPECT_TRUE(IsRepetitive(Repeated({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 5)));
  EXPECT_FALSE(IsRepetitive(Repeated({1, 2, 3}, 5))) << "too short to tell";
}

}  // namespace
}  // namespace tintype::darkroom::vision
