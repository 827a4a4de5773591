#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace tintype::darkroom::vision {

/// A token that the model wrote, and how likely it was.
struct WrittenToken {
  int32_t token = 0;
  double log_probability = 0;
};

bool IsTime(int32_t token);
bool IsText(int32_t token);

struct TokenRules {
  /// Tokens that are never written.
  std::vector<int32_t> never;
  /// The last time that there is in the window.
  int32_t time_max = 0;
};

/// Makes what cannot follow the tokens before it impossible: a text begins with a time and ends
/// with one, the next one begins there or later. `logits` has one for each token.
void ApplyRules(const TokenRules& rules, std::span<const WrittenToken> before,
                std::span<float> logits);

/// The likeliest token, or at a temperature above 0 one by chance, likelier ones more often.
WrittenToken PickToken(std::span<const float> logits, double temperature, std::mt19937_64& random);

/// The share of one token among some of them.
double ProbabilityOf(std::span<const float> logits, int32_t token, int32_t first, int32_t end);

/// Where the tokens begin to repeat what is before, if they end in a loop: some tokens four times
/// over, of a single one ten.
std::optional<size_t> FindLoop(std::span<const int32_t> text);
/// Whether much of a longer text is said more than once, if not word for word in a row.
bool IsRepetitive(std::span<const int32_t> text);

}  // namespace tintype::darkroom::vision
