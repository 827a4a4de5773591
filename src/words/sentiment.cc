#include "words/sentiment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "json/value.h"
#include "words/characters.h"
#include "words/text_tokens.h"

namespace tintype::words {
namespace {

constexpr size_t kReach = 3;             // How many words behind it a word still acts upon.
constexpr double kDenied = -0.6;         // "Not good" is less than "bad".
constexpr double kNeutralOfWord = 0.12;  // What a word weighs that says nothing.
constexpr double kNeutralOfText = 1;

constexpr auto kDenials = std::to_array<std::string_view>(
    {"not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot",
     "hardly", "barely", "scarcely", "ain't", "cant", "dont", "wont", "didnt", "isnt"});
constexpr auto kStrong = std::to_array<std::string_view>(
    {"very",       "really",  "extremely",     "so",         "absolutely",
     "completely", "totally", "highly",        "deeply",     "incredibly",
     "especially", "most",    "truly",         "utterly",    "terribly",
     "insanely",   "quite",   "exceptionally", "remarkably", "super"});
constexpr auto kWeak =
    std::to_array<std::string_view>({"slightly", "somewhat", "fairly", "partly", "mildly", "rather",
                                     "little", "kinda", "marginally"});

template <size_t N>
bool IsOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool Denies(std::string_view word) { return IsOneOf(kDenials, word) || word.ends_with("n't"); }

/// In lower case, with the plain apostrophe.
std::string PlainWord(std::string_view word) {
  constexpr std::string_view kCurly = "\u2019";
  std::string plain = Lowered(word);
  for (size_t at = plain.find(kCurly); at != std::string::npos; at = plain.find(kCurly, at + 1)) {
    plain.replace(at, kCurly.size(), "'");
  }
  return plain;
}

/// What was said for and against.
struct Feelings {
  double positive = 0;
  double negative = 0;
  double words = 0;

  void Add(double score) { (score > 0 ? positive : negative) += std::abs(score); }
};

/// What the words before one make of it.
double FactorOf(const std::vector<std::string>& before) {
  double factor = 1;
  double share = 1;
  for (auto word = before.rbegin(); word != before.rend(); ++word) {
    if (Denies(*word)) {
      factor *= kDenied;
    } else if (IsOneOf(kStrong, *word)) {
      factor *= 1 + 0.4 * share;
    } else if (IsOneOf(kWeak, *word)) {
      factor *= 1 - 0.4 * share;
    }
    share *= 0.7;  // The nearest says most.
  }
  return factor;
}

/// Finds the feelings in the words of one clause at a time.
class Clause {
 public:
  Clause(const SentimentLexicon& lexicon, Feelings& feelings)
      : lexicon_(lexicon), feelings_(feelings) {}

  void Add(std::string word) {
    ahead_.push_back(std::move(word));
    if (ahead_.size() >= lexicon_.words_max()) {
      TakeFirst();
    }
  }
  /// What comes next has nothing to do with what was before.
  void End() {
    while (!ahead_.empty()) {
      TakeFirst();
    }
    before_.clear();
  }

 private:
  /// The longest phrase that the next words begin with.
  void TakeFirst() {
    size_t words = ahead_.size();
    double score = 0;
    for (; words > 1; --words) {
      const std::span first(ahead_.begin(), words);
      score = lexicon_.Find(StrJoin(first, " "));
      if (score != 0) {
        break;
      }
    }
    if (words == 1) {
      score = ScoreOfWord(ahead_.front());
    }
    if (score != 0) {
      feelings_.Add(score * FactorOf(before_));
    }
    feelings_.words += static_cast<double>(words);
    const auto next = ahead_.begin() + static_cast<ptrdiff_t>(words);
    std::move(ahead_.begin(), next, std::back_inserter(before_));
    ahead_.erase(ahead_.begin(), next);
    if (before_.size() > kReach) {
      before_.erase(before_.begin(), before_.end() - kReach);
    }
  }

  /// Words that act upon others say nothing by themselves: "no" and "super" are in the lexicon.
  double ScoreOfWord(const std::string& word) const {
    return Denies(word) || IsOneOf(kStrong, word) || IsOneOf(kWeak, word) ? 0 : lexicon_.Find(word);
  }

  const SentimentLexicon& lexicon_;
  Feelings& feelings_;
  std::vector<std::string> ahead_;   // Not looked at yet.
  std::vector<std::string> before_;  // The last that were.
};

Sentiment SentimentOf(const Feelings& feelings) {
  const double both = std::min(feelings.positive, feelings.negative);
  const double neutral = feelings.words * kNeutralOfWord + kNeutralOfText;
  const double all = feelings.positive + feelings.negative + neutral;
  Sentiment sentiment;
  sentiment.positive = (feelings.positive - both) / all;
  sentiment.negative = (feelings.negative - both) / all;
  sentiment.mixed = 2 * both / all;
  sentiment.neutral = 1 - sentiment.positive - sentiment.negative - sentiment.mixed;
  const std::array<std::pair<double, SentimentLabel>, 4> labels = {{
      {sentiment.neutral, SentimentLabel::kNeutral},
      {sentiment.positive, SentimentLabel::kPositive},
      {sentiment.negative, SentimentLabel::kNegative},
      {sentiment.mixed, SentimentLabel::kMixed},
  }};
  // Of equal ones the first.
  sentiment.label =
      std::ranges::max_element(labels, {}, [](const auto& each) { return each.first; })->second;
  return sentiment;
}

}  // namespace

Result<SentimentLexicon> SentimentLexicon::Parse(std::string_view json) {
  constexpr size_t kBytesMax = size_t{1} << 20;
  constexpr double kScoreMax = 5;
  constexpr size_t kLexiconWordsMax = 8;
  const Error damaged = Error::Corruption("The lexicon of sentiment is not {word: score}.");
  const Result<json::Value> value = json::Parse(json, kBytesMax);
  if (!value.ok() || !value->is_object()) {
    return damaged;
  }
  SentimentLexicon lexicon;
  for (const auto& [word, score] : *value->object()) {
    const auto words = static_cast<size_t>(std::ranges::count(word, ' ')) + 1;
    if (word.empty() || words > kLexiconWordsMax || !score.number() ||
        std::abs(*score.number()) > kScoreMax) {
      return damaged;
    }
    lexicon.scores_.emplace(word, *score.number());
    lexicon.words_max_ = std::max(lexicon.words_max_, words);
  }
  if (lexicon.scores_.empty()) {
    return damaged;
  }
  return lexicon;
}

double SentimentLexicon::Find(const std::string& word) const {
  const auto found = scores_.find(word);
  return found == scores_.end() ? 0 : found->second;
}

Sentiment FindSentiment(std::string_view text, const SentimentLexicon& lexicon) {
  text = Bounded(text);
  Feelings feelings;
  Clause clause(lexicon, feelings);
  for (const TextToken& token : Tokenize(text)) {
    if (token.is_word()) {
      clause.Add(PlainWord(token.In(text)));
    } else if (EndsSentence(token.In(text)) || token.IsMark(text, ',') || token.after_gap) {
      clause.End();
    }
  }
  clause.End();
  return SentimentOf(feelings);
}

}  // namespace tintype::words
