#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"

namespace tintype::words {

/// How much single words, and a few phrases, say of how somebody feels: -5 to 5. Immutable;
/// thread-safe.
class SentimentLexicon {
 public:
  /// From the JSON object {word: score} that the list AFINN-165 comes as. Errors: kCorruption for
  /// anything else.
  static Result<SentimentLexicon> Parse(std::string_view json);

  /// 0 for what is not in it. `word` is in lower case; a phrase has single blanks.
  double Find(const std::string& word) const;
  size_t size() const { return scores_.size(); }
  /// Of the longest phrase in it.
  size_t words_max() const { return words_max_; }

 private:
  std::unordered_map<std::string, double> scores_;
  size_t words_max_ = 1;
};

enum class SentimentLabel { kPositive, kNegative, kNeutral, kMixed };

/// In Comprehend's terms. The four add up to 1, and are shares of what the text says, no
/// probabilities.
struct Sentiment {
  SentimentLabel label = SentimentLabel::kNeutral;
  double positive = 0;
  double negative = 0;
  double neutral = 1;
  double mixed = 0;
};

/// The one language that there is a lexicon for.
inline constexpr std::string_view kSentimentLanguage = "en";

/// How the author of an English text feels, by the words of the lexicon. A word that denies
/// ("not", "never"), up to three words before, turns what a word says round, and weakens it; words
/// such as "very" and "slightly" before it strengthen or weaken it. What is said for and against in
/// equal parts is mixed, and the words that say nothing weigh as neutral, a little each. Irony is
/// not understood. A text without words is neutral.
///
/// Takes time in proportion to the text, of which it looks at kTextBytesMax.
Sentiment FindSentiment(std::string_view text, const SentimentLexicon& lexicon);

}  // namespace tintype::words
