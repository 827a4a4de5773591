#include "words/language.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "words/characters.h"
#include "words/stop_words.h"
#include "words/text_tokens.h"

namespace tintype::words {
namespace {

constexpr size_t kLanguagesMax = 32;
using Languages = uint32_t;  // A bit for each of StopWordLists().

/// Letters that tell something of a word which no list has: the languages that use them.
struct TellingLetters {
  std::string_view letters;
  std::string_view languages;
};
constexpr std::array kTellingLetters = {
    TellingLetters{"ß", "de"},          TellingLetters{"ü", "de tr"},
    TellingLetters{"ö", "de sv fi tr"}, TellingLetters{"ä", "de sv fi"},
    TellingLetters{"å", "sv da no"},    TellingLetters{"øæ", "da no"},
    TellingLetters{"ñ¿¡", "es"},        TellingLetters{"ãõ", "pt"},
    TellingLetters{"ç", "fr pt tr"},    TellingLetters{"êâîûœ", "fr pt"},
    TellingLetters{"èù", "fr it"},      TellingLetters{"ò", "it"},
    TellingLetters{"ąęłśźż", "pl"},     TellingLetters{"ćń", "pl"},
    TellingLetters{"ěřů", "cs"},        TellingLetters{"čšžýďťň", "cs"},
    TellingLetters{"ığş", "tr"},        TellingLetters{"ыэъё", "ru"},
    TellingLetters{"іїєґ", "uk"},
};
/// The same for letters that follow each other.
constexpr std::array kTellingRuns = {
    TellingLetters{"kj", "no"},  TellingLetters{"øy", "no"},   TellingLetters{"sjon", "no"},
    TellingLetters{"øj", "da"},  TellingLetters{"æg", "da"},   TellingLetters{"ij", "nl"},
    TellingLetters{"oe", "nl"},  TellingLetters{"sch", "de"},  TellingLetters{"cz", "pl"},
    TellingLetters{"sz", "pl"},  TellingLetters{"lh", "pt"},   TellingLetters{"nh", "pt"},
    TellingLetters{"ção", "pt"}, TellingLetters{"ción", "es"}, TellingLetters{"zion", "it"},
    TellingLetters{"cch", "it"}, TellingLetters{"eau", "fr"},  TellingLetters{"ght", "en"},
    TellingLetters{"yy", "fi"},  TellingLetters{"aa", "fi"},
};
/// Letters of languages that we do not know, and would take for one that we do.
constexpr std::array kForeignLetters = {
    std::u32string_view(
        U"őűășțђћљњџјѓќў"),               // Hungarian, Romanian, Serbian, Macedonian, Belarusian.
    std::u32string_view(U"پچژگکیٹڈڑںے"),  // Persian and Urdu.
};

/// What decides among the languages that are told by words.
class Evidence {
 public:
  Evidence() {
    const auto lists = StopWordLists();
    for (size_t i = 0; i < lists.size(); ++i) {
      for (const std::string_view word : *FindStopWords(lists[i].language)) {
        words_[word] |= Languages{1} << i;
      }
    }
    for (const TellingLetters& telling : kTellingLetters) {
      const Languages languages = LanguagesIn(telling.languages);
      for (size_t at = 0; at < telling.letters.size();) {
        const Decoded decoded = DecodeFirst(telling.letters.substr(at));
        letters_[decoded.character] = languages;
        at += decoded.bytes;
      }
    }
    for (const TellingLetters& telling : kTellingRuns) {
      runs_.emplace_back(telling.letters, LanguagesIn(telling.languages));
    }
  }

  Languages OfWord(const std::string& word) const {
    const auto found = words_.find(word);
    return found == words_.end() ? 0 : found->second;
  }
  Languages OfLetter(char32_t letter) const {
    const auto found = letters_.find(letter);
    return found == letters_.end() ? 0 : found->second;
  }
  const std::vector<std::pair<std::string_view, Languages>>& runs() const { return runs_; }

 private:
  static Languages LanguagesIn(std::string_view codes) {
    const auto lists = StopWordLists();
    Languages languages = 0;
    for (size_t i = 0; i < lists.size(); ++i) {
      if (codes.find(lists[i].language) != std::string_view::npos) {
        languages |= Languages{1} << i;
      }
    }
    return languages;
  }

  std::unordered_map<std::string_view, Languages> words_;
  std::unordered_map<char32_t, Languages> letters_;
  std::vector<std::pair<std::string_view, Languages>> runs_;
};

const Evidence& TheEvidence() {
  static const Evidence evidence;
  return evidence;
}

/// What there is of each language in a text.
struct Scores {
  std::array<double, kLanguagesMax> of{};
  double words = 0;    // That there were.
  double foreign = 0;  // Of those, with letters of languages that we do not know.

  void Add(Languages languages, double weight) {
    const double share = weight / std::popcount(languages);
    for (size_t i = 0; i < kLanguagesMax; ++i) {
      of[i] += ((languages >> i) & 1U) != 0 ? share : 0;
    }
  }
};

void AddWord(std::string_view word, Scores& scores) {
  constexpr size_t kLookedAtMax = 64;
  const std::string lowered = Lowered(word.substr(0, kLookedAtMax));
  scores.words += 1;
  if (const Languages languages = TheEvidence().OfWord(lowered); languages != 0) {
    scores.Add(languages, 1);
  }
  for (const auto& [run, languages] : TheEvidence().runs()) {
    if (lowered.find(run) != std::string::npos) {
      scores.Add(languages, 0.5);
    }
  }
  bool is_foreign = false;
  for (size_t at = 0; at < lowered.size();) {
    const Decoded decoded = DecodeFirst(std::string_view(lowered).substr(at));
    if (const Languages languages = TheEvidence().OfLetter(decoded.character); languages != 0) {
      scores.Add(languages, 0.5);
    }
    is_foreign = is_foreign || std::ranges::any_of(kForeignLetters, [&](std::u32string_view few) {
                   return few.find(decoded.character) != std::u32string_view::npos;
                 });
    at += decoded.bytes;
  }
  scores.foreign += is_foreign ? 1 : 0;
}

TextLanguage BestOf(const Scores& scores) {
  // Function words are a fifth of a text at least, but a name or a loan from another language is
  // soon among a few words.
  constexpr double kEvidenceMin = 0.9;
  constexpr double kShareMin = 0.08;
  constexpr double kForeignShareMax = 0.1;
  constexpr double kLeadMin = 0.08;
  const auto* const best = std::ranges::max_element(scores.of);
  double second = 0;
  for (const double& score : scores.of) {
    second = &score == best ? second : std::max(second, score);
  }
  if (*best < kEvidenceMin || *best < scores.words * kShareMin ||
      scores.foreign > scores.words * kForeignShareMax) {
    return {};
  }
  const double lead = (*best - second) / *best;
  if (lead < kLeadMin) {
    return {};
  }
  const auto index = static_cast<size_t>(best - scores.of.begin());
  return {StopWordLists()[index].language, (*best / (*best + 2)) * (0.5 + lead / 2)};
}

double CountOf(const std::array<double, kScripts>& letters, Script script) {
  return letters[static_cast<size_t>(script)];
}

/// The language of a script that has one of ours; empty for others.
std::string_view OnlyLanguageOf(Script script, const std::array<double, kScripts>& letters) {
  switch (script) {
    case Script::kGreek:
      return "el";
    case Script::kHebrew:
      return "he";
    case Script::kDevanagari:
      return "hi";
    case Script::kThai:
      return "th";
    case Script::kHangul:
      return "ko";
    case Script::kHiragana:
    case Script::kKatakana:
      return "ja";
    case Script::kHan: {
      // A Japanese text has kana in every sentence.
      const double kana = CountOf(letters, Script::kHiragana) + CountOf(letters, Script::kKatakana);
      return kana * 10 > CountOf(letters, Script::kHan) ? "ja" : "zh";
    }
    default:
      return "";
  }
}

}  // namespace

TextLanguage DetectLanguage(std::string_view text) {
  text = Bounded(text);
  const std::vector<TextToken> tokens = Tokenize(text);
  // Letters, those of Han and kana thrice: one is as much as a syllable or a word.
  std::array<double, kScripts> letters{};
  for (const TextToken& token : tokens) {
    if (token.is_word()) {
      const bool is_dense = token.script == Script::kHan || token.script == Script::kHiragana ||
                            token.script == Script::kKatakana || token.script == Script::kHangul;
      letters[static_cast<size_t>(token.script)] +=
          (token.end_character - token.begin_character) * (is_dense ? 3 : 1);
    }
  }
  double all = 0;
  for (const double count : letters) {
    all += count;
  }
  const auto* const most = std::ranges::max_element(letters);
  const auto script = static_cast<Script>(most - letters.begin());
  if (const std::string_view only = OnlyLanguageOf(script, letters); !only.empty()) {
    constexpr double kLettersMin = 4;
    return *most < kLettersMin ? TextLanguage{} : TextLanguage{only, *most / all};
  }
  if (script != Script::kLatin && script != Script::kCyrillic && script != Script::kArabic) {
    return {};
  }
  Scores scores;
  for (const TextToken& token : tokens) {
    if (token.is_word() && token.script == script) {
      AddWord(token.In(text), scores);
    }
  }
  TextLanguage best = BestOf(scores);
  best.confidence *= all > 0 ? *most / all : 0;
  return best;
}

}  // namespace tintype::words
