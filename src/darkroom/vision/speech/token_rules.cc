#include "darkroom/vision/speech/token_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "darkroom/vision/speech/vocabulary.h"

namespace tintype::darkroom::vision {
namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();
// Speech begins within the first second: silence is left out before.
constexpr int32_t kFirstTimeMax = kFirstTimeToken + kTimesPerSecond;

void Forbid(std::span<float> logits, int32_t first, int32_t end) {
  std::fill(logits.begin() + first, logits.begin() + std::max(first, end), kImpossible);
}

/// The logarithm of the sum of what they stand for.
double LogSum(std::span<const float> logits) {
  const float largest = *std::ranges::max_element(logits);
  if (largest == kImpossible) {
    return kImpossible;
  }
  double sum = 0;
  for (const float logit : logits) {
    sum += std::exp(static_cast<double>(logit - largest));
  }
  return largest + std::log(sum);
}

/// The first of those that times may have after the tokens before.
int32_t FirstTimeAfter(std::span<const WrittenToken> before) {
  for (size_t i = before.size(); i > 0; --i) {
    if (IsTime(before[i - 1].token)) {
      // A text takes time, and the next may begin where it ended.
      const bool ended_text = i == before.size() && i > 1 && !IsTime(before[i - 2].token);
      return before[i - 1].token + (ended_text ? 0 : 1);
    }
  }
  return kFirstTimeToken;
}

}  // namespace

bool IsTime(int32_t token) { return token >= kFirstTimeToken; }
bool IsText(int32_t token) { return token < kEndToken; }

void ApplyRules(const TokenRules& rules, std::span<const WrittenToken> before,
                std::span<float> logits) {
  for (const int32_t token : rules.never) {
    logits[static_cast<size_t>(token)] = kImpossible;
  }
  Forbid(logits, kStartToken, kFirstTimeToken);
  Forbid(logits, kFirstTimeToken, FirstTimeAfter(before));
  Forbid(logits, std::max(rules.time_max + 1, kFirstTimeToken), kTokenCount);
  if (before.empty()) {
    Forbid(logits, 0, kFirstTimeToken);
    Forbid(logits, kFirstTimeMax + 1, kTokenCount);
    return;
  }
  if (IsTime(before.back().token)) {
    if (before.size() < 2 || IsTime(before[before.size() - 2].token)) {
      Forbid(logits, kFirstTimeToken, kTokenCount);
    } else {
      Forbid(logits, 0, kEndToken);
    }
  }
  // One of the times may be likelier than any text, though none of them by itself.
  const float text = *std::max_element(logits.begin(), logits.begin() + kFirstTimeToken);
  if (LogSum(logits.subspan(kFirstTimeToken)) > text) {
    Forbid(logits, 0, kFirstTimeToken);
  }
}

WrittenToken PickToken(std::span<const float> logits, double temperature, std::mt19937_64& random) {
  const auto likeliest = std::ranges::max_element(logits);
  auto picked = likeliest;
  if (temperature > 0) {
    std::vector<double> sums;
    sums.reserve(logits.size());
    double sum = 0;
    for (const float logit : logits) {
      sum += std::exp(static_cast<double>(logit - *likeliest) / temperature);
      sums.push_back(sum);
    }
    // By hand, so that the same seed gives the same on every machine.
    const double part = static_cast<double>(random() >> 11U) * 0x1p-53 * sum;
    const auto place = std::ranges::upper_bound(sums, part) - sums.begin();
    picked = logits.begin() + std::min<std::ptrdiff_t>(place, std::ssize(logits) - 1);
  }
  return {static_cast<int32_t>(picked - logits.begin()), *picked - LogSum(logits)};
}

double ProbabilityOf(std::span<const float> logits, int32_t token, int32_t first, int32_t end) {
  const auto all = logits.subspan(static_cast<size_t>(first), static_cast<size_t>(end - first));
  return std::min(1.0, std::exp(logits[static_cast<size_t>(token)] - LogSum(all)));
}

std::optional<size_t> FindLoop(std::span<const int32_t> text) {
  constexpr size_t kRepeatedMin = 10;
  constexpr size_t kTimesMore = 3;
  for (size_t period = 1; period * (kTimesMore + 1) <= text.size(); ++period) {
    size_t repeated = 0;
    while (repeated + period < text.size() &&
           text[text.size() - 1 - repeated] == text[text.size() - 1 - repeated - period]) {
      ++repeated;
    }
    if (repeated >= std::max(kRepeatedMin - 1, kTimesMore * period)) {
      return text.size() - repeated;
    }
  }
  return std::nullopt;
}

bool IsRepetitive(std::span<const int32_t> text) {
  constexpr size_t kLongText = 40;
  if (text.size() < kLongText) {
    return false;
  }
  std::set<std::array<int32_t, 3>> different;
  for (size_t i = 2; i < text.size(); ++i) {
    different.insert({text[i - 2], text[i - 1], text[i]});
  }
  return 2 * different.size() < text.size() - 2;
}

}  // namespace tintype::darkroom::vision
