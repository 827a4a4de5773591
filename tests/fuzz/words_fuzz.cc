// Texts of any bytes: whatever is found in one lies in it, at the place that is said, in order and
// within the limits; scores are shares; and what is written of it is JSON.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "json/value.h"
#include "words/characters.h"
#include "words/comprehend_json.h"
#include "words/language.h"
#include "words/text_tokens.h"

namespace tintype::words {
namespace {

constexpr size_t kJsonBytesMax = size_t{32} << 20;

/// Where each character of a text begins, and its end.
std::vector<size_t> PlacesIn(std::string_view text) {
  std::vector<size_t> places;
  size_t at = 0;
  for (; at < text.size(); at += DecodeFirst(text.substr(at)).bytes) {
    places.push_back(at);
  }
  places.push_back(at);
  CHECK(at == text.size());
  return places;
}

void CheckMention(std::string_view text, const std::vector<size_t>& places, int64_t begin,
                  int64_t end, std::string_view mention) {
  CHECK(begin >= 0 && begin < end && static_cast<size_t>(end) < places.size());
  const size_t first = places[static_cast<size_t>(begin)];
  CHECK(text.substr(first, places[static_cast<size_t>(end)] - first) == mention);
}

void CheckTokens(std::string_view text) {
  uint32_t end = 0;
  for (const TextToken& token : Tokenize(text)) {
    CHECK(token.begin >= end && token.begin < token.end && token.end <= text.size());
    CHECK(token.begin_character < token.end_character);
    end = token.end;
  }
}

void CheckPhrases(std::string_view text, const std::vector<size_t>& places,
                  std::string_view language) {
  const std::vector<KeyPhrase> phrases = FindKeyPhrases(text, language);
  CHECK(phrases.size() <= kKeyPhrasesMax);
  double before = 1;
  for (const KeyPhrase& phrase : phrases) {
    CheckMention(text, places, phrase.begin, phrase.end, phrase.text);
    CHECK(phrase.score > 0 && phrase.score <= before && phrase.count > 0);
    before = phrase.score;
  }
  CHECK(json::Parse(KeyPhrasesJson(phrases, language), kJsonBytesMax).ok());
}

void CheckEntities(std::string_view text, const std::vector<size_t>& places,
                   std::string_view language) {
  const std::vector<Entity> entities = FindEntities(text, language);
  CHECK(entities.size() <= kEntitiesMax);
  int64_t end = 0;
  for (const Entity& entity : entities) {
    CheckMention(text, places, entity.begin, entity.end, entity.text);
    CHECK(entity.begin >= end && entity.score > 0 && entity.score <= 1);
    end = entity.end;
  }
  CHECK(json::Parse(EntitiesJson(entities, language), kJsonBytesMax).ok());
}

void CheckSentiment(std::string_view text) {
  static const SentimentLexicon lexicon =
      SentimentLexicon::Parse(R"({"good":3,"bad":-3,"no":-1,"not so good":-2,"fed up":-2})")
          .value();
  const Sentiment found = FindSentiment(text, lexicon);
  CHECK(std::abs(found.positive + found.negative + found.neutral + found.mixed - 1) < 1e-6);
  CHECK(std::min({found.positive, found.negative, found.neutral, found.mixed}) > -1e-9);
  CHECK(json::Parse(SentimentJson(found, "en"), kJsonBytesMax).ok());
}

}  // namespace
}  // namespace tintype::words

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tintype::words;
  const std::string_view text = Bounded({reinterpret_cast<const char*>(data), size});
  const std::vector<size_t> places = PlacesIn(text);
  CheckTokens(text);
  const TextLanguage language = DetectLanguage(text);
  CHECK(language.confidence >= 0 && language.confidence <= 1);
  CHECK(language.code.empty() == (language.confidence == 0));
  for (const std::string_view code : {language.code, std::string_view(), std::string_view("fr")}) {
    CheckPhrases(text, places, code);
    CheckEntities(text, places, code);
  }
  CheckSentiment(text);
  return 0;
}
