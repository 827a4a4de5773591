#include "words/key_phrases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>

#include "words/characters.h"
#include "words/stop_words.h"
#include "words/text_tokens.h"

namespace tintype::words {
namespace {

constexpr size_t kPhraseWordsMax = 4;
constexpr uint32_t kUnspacedMax = 12;  // Characters of a phrase without blanks.
constexpr uint32_t kWordBytesMax = 100;
constexpr uint32_t kShortWord = 4;  // What is shorter is a stop word where there is no list.

/// What divides the runs of scripts without blanks, the longest first.
constexpr auto kHanDividers = std::to_array<std::string_view>(
    {"我们", "你们", "他们", "她们", "它们", "这个", "那个", "这些", "那些", "什么", "因为",
     "所以", "但是", "如果", "可以", "已经", "没有", "还是", "或者", "以及", "的",   "了",
     "是",   "在",   "和",   "与",   "或",   "不",   "也",   "就",   "都",   "而",   "及",
     "把",   "被",   "这",   "那",   "我",   "你",   "他",   "她",   "它",   "很",   "着",
     "过",   "吗",   "呢",   "吧",   "从",   "对",   "到",   "為"});
constexpr auto kThaiDividers = std::to_array<std::string_view>(
    {"เพราะ", "อย่าง", "แล้ว", "แต่", "และ", "หรือ", "เป็น", "ของ", "ด้วย",  "ที่",
     "ซึ่ง",    "โดย",  "จาก", "ไม่", "ให้",  "กับ",  "ว่า",  "การ", "ความ", "อยู่",
     "คือ",    "นี้",    "นั้น",  "ก็",  "จะ",  "ได้",  "มี",   "ใน"});

/// A word as it takes part in phrases: without regard to case, under a number.
struct PhraseWord {
  uint32_t number = 0;
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t begin_character = 0;
  uint32_t end_character = 0;
};

struct WordCounts {
  double count = 0;
  double degree = 0;  // Words of the phrases that it is in, itself among them.
};

struct Mentions {
  PhraseWord first;
  uint32_t words = 0;
  int64_t count = 0;
  double weight = 0;
};

class Phrases {
 public:
  Phrases(std::string_view text, std::string_view language)
      : text_(text), stop_words_(FindStopWords(language)) {}

  std::vector<KeyPhrase> Find() {
    for (const TextToken& token : Tokenize(text_)) {
      Take(token);
    }
    End();
    return Best();
  }

 private:
  void Take(const TextToken& token) {
    if (!token.is_word() || token.after_gap) {
      End();
    }
    if (!token.is_word() || token.end - token.begin > kWordBytesMax) {
      // A run without blanks is looked at piece by piece, however long it is.
      if (!IsUnspaced(token.script)) {
        End();
        return;
      }
    }
    if (IsUnspaced(token.script)) {
      TakeRun(token);
      return;
    }
    std::string word = Lowered(token.In(text_));
    const bool is_stop = stop_words_ != nullptr
                             ? stop_words_->contains(word)
                             : token.end_character - token.begin_character < kShortWord;
    const bool is_letter = token.end_character - token.begin_character < 2;
    if (is_stop || is_letter) {
      End();
      return;
    }
    if (phrase_.size() == kPhraseWordsMax) {
      End();
    }
    phrase_.push_back({NumberOf(std::move(word)), token.begin, token.end, token.begin_character,
                       token.end_character});
  }

  /// Letters without blanks: each piece between dividers is a phrase of one word.
  void TakeRun(const TextToken& token) {
    End();
    if (token.script == Script::kHiragana) {
      return;
    }
    std::span<const std::string_view> dividers;
    if (token.script == Script::kThai) {
      dividers = kThaiDividers;
    } else if (token.script == Script::kHan) {
      dividers = kHanDividers;
    }
    PhraseWord piece{0, token.begin, token.begin, token.begin_character, token.begin_character};
    while (piece.end < token.end) {
      const std::string_view rest = text_.substr(piece.end, token.end - piece.end);
      const auto divider = std::ranges::find_if(
          dividers, [&](std::string_view each) { return rest.starts_with(each); });
      const bool divides = divider != dividers.end();
      const std::string_view step = divides ? *divider : rest.substr(0, DecodeFirst(rest).bytes);
      if (divides) {
        TakePiece(piece);
      }
      piece.end += static_cast<uint32_t>(step.size());
      for (size_t at = 0; at < step.size(); at += DecodeFirst(step.substr(at)).bytes) {
        ++piece.end_character;
      }
      if (divides) {
        piece.begin = piece.end;
        piece.begin_character = piece.end_character;
      }
    }
    TakePiece(piece);
  }

  void TakePiece(PhraseWord piece) {
    const uint32_t characters = piece.end_character - piece.begin_character;
    if (characters >= 2 && characters <= kUnspacedMax) {
      piece.number = NumberOf(std::string(text_.substr(piece.begin, piece.end - piece.begin)));
      phrase_.push_back(piece);
      End();
    }
  }

  uint32_t NumberOf(std::string word) {
    const auto next = static_cast<uint32_t>(numbers_.size());
    const auto [known, is_new] = numbers_.emplace(std::move(word), next);
    if (is_new) {
      counts_.emplace_back();
    }
    return known->second;
  }

  /// Counts the phrase that was gathered.
  void End() {
    if (phrase_.empty()) {
      return;
    }
    std::string key;
    for (const PhraseWord& word : phrase_) {
      WordCounts& counts = counts_[word.number];
      counts.count += 1;
      counts.degree += WeightOf(word, phrase_.size());
      key.append(reinterpret_cast<const char*>(&word.number), sizeof word.number);
    }
    Mentions& mentions = mentions_[key];
    if (mentions.count == 0) {
      mentions.first = {0, phrase_.front().begin, phrase_.back().end,
                        phrase_.front().begin_character, phrase_.back().end_character};
      mentions.words = static_cast<uint32_t>(phrase_.size());
    }
    ++mentions.count;
    phrase_.clear();
  }

  /// How many words there are in its phrase. A piece without blanks has no neighbours that say how
  /// much it is: two characters are about a word.
  double WeightOf(const PhraseWord& word, size_t words) const {
    const Script script = ScriptOf(DecodeFirst(text_.substr(word.begin)).character);
    return IsUnspaced(script) ? static_cast<double>(word.end_character - word.begin_character) / 2.0
                              : static_cast<double>(words);
  }

  double WeightOf(const std::string& key, const Mentions& mentions) const {
    double weight = 0;
    for (size_t at = 0; at < key.size(); at += sizeof(uint32_t)) {
      uint32_t number = 0;
      key.copy(reinterpret_cast<char*>(&number), sizeof number, at);
      weight += counts_[number].degree / counts_[number].count;
    }
    return weight * (1 + std::log2(static_cast<double>(mentions.count)));
  }

  std::vector<KeyPhrase> Best() {
    std::vector<Mentions> all;
    all.reserve(mentions_.size());
    for (auto& [key, mentions] : mentions_) {
      mentions.weight = WeightOf(key, mentions);
      all.push_back(mentions);
    }
    const auto better = [](const Mentions& a, const Mentions& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.first.begin < b.first.begin;
    };
    const size_t kept = std::min(all.size(), kKeyPhrasesMax);
    std::partial_sort(all.begin(), all.begin() + static_cast<ptrdiff_t>(kept), all.end(), better);
    all.resize(kept);
    std::vector<KeyPhrase> phrases;
    for (const Mentions& one : all) {
      KeyPhrase phrase;
      phrase.text = text_.substr(one.first.begin, one.first.end - one.first.begin);
      phrase.score = one.weight / all.front().weight;
      phrase.begin = one.first.begin_character;
      phrase.end = one.first.end_character;
      phrase.count = one.count;
      phrases.push_back(std::move(phrase));
    }
    return phrases;
  }

  const std::string_view text_;
  const StopWordSet* const stop_words_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<WordCounts> counts_;                      // By number.
  std::unordered_map<std::string, Mentions> mentions_;  // By the numbers of the words.
  std::vector<PhraseWord> phrase_;                      // That is being gathered.
};

}  // namespace

std::vector<KeyPhrase> FindKeyPhrases(std::string_view text, std::string_view language) {
  return Phrases(Bounded(text), language).Find();
}

}  // namespace tintype::words
