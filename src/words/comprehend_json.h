#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "words/entities.h"
#include "words/key_phrases.h"
#include "words/sentiment.h"

namespace tintype::words {

// What was found, in the shapes of Amazon Comprehend's DetectKeyPhrases, DetectEntities and
// DetectSentiment, with two members more: `LanguageCode`, unless `language` is empty, and `Method`,
// which says how it was found. Comprehend's scores are confidences; ours are what `Method` makes of
// them.

/// A phrase has a member more, `Count`.
std::string KeyPhrasesJson(const std::vector<KeyPhrase>& phrases, std::string_view language);
std::string EntitiesJson(const std::vector<Entity>& entities, std::string_view language);
std::string SentimentJson(const Sentiment& sentiment, std::string_view language);

}  // namespace tintype::words
