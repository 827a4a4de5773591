#include "words/comprehend_json.h"

#include <array>
#include <cstddef>
#include <utility>

#include "json/writer.h"

namespace tintype::words {
namespace {

/// What the three end with.
std::string Ended(json::Writer json, std::string_view language, std::string_view method) {
  if (!language.empty()) {
    json.Text("LanguageCode", language);
  }
  json.Text("Method", method);
  json.CloseObject();
  return std::move(json).Take();
}

}  // namespace

std::string KeyPhrasesJson(const std::vector<KeyPhrase>& phrases, std::string_view language) {
  json::Writer json;
  json.OpenObject();
  json.Name("KeyPhrases");
  json.OpenArray();
  for (const KeyPhrase& phrase : phrases) {
    json.OpenObject();
    json.Name("Score").Number(phrase.score);
    json.Text("Text", phrase.text);
    json.Integer("BeginOffset", phrase.begin);
    json.Integer("EndOffset", phrase.end);
    json.Integer("Count", phrase.count);
    json.CloseObject();
  }
  json.CloseArray();
  return Ended(std::move(json), language,
               "RAKE; Score is relative to the best phrase of the text, Begin- and EndOffset are "
               "of the first mention");
}

std::string EntitiesJson(const std::vector<Entity>& entities, std::string_view language) {
  json::Writer json;
  json.OpenObject();
  json.Name("Entities");
  json.OpenArray();
  for (const Entity& entity : entities) {
    json.OpenObject();
    json.Name("Score").Number(entity.score);
    json.Text("Type", NameOf(entity.type));
    json.Text("Text", entity.text);
    json.Integer("BeginOffset", entity.begin);
    json.Integer("EndOffset", entity.end);
    json.CloseObject();
  }
  json.CloseArray();
  return Ended(std::move(json), language,
               "rules and word lists, places from iso-codes; Score is that of the rule");
}

std::string SentimentJson(const Sentiment& sentiment, std::string_view language) {
  constexpr std::array<std::string_view, 4> kLabels = {"POSITIVE", "NEGATIVE", "NEUTRAL", "MIXED"};
  json::Writer json;
  json.OpenObject();
  json.Text("Sentiment", kLabels[static_cast<size_t>(sentiment.label)]);
  json.Name("SentimentScore");
  json.OpenObject();
  json.Name("Positive").Number(sentiment.positive);
  json.Name("Negative").Number(sentiment.negative);
  json.Name("Neutral").Number(sentiment.neutral);
  json.Name("Mixed").Number(sentiment.mixed);
  json.CloseObject();
  return Ended(std::move(json), language,
               "AFINN-165 lexicon with negation and intensifiers; scores are shares of the text");
}

}  // namespace tintype::words
