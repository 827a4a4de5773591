#include "pipeline/analysis/sentiment_analyzer.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/strings.h"
#include "models/known_models.h"
#include "words/comprehend_json.h"
#include "words/sentiment.h"

namespace tintype::pipeline {
namespace {

using contexts::catalog::Image;

constexpr std::string_view kLexicon = "sentiment-words.json";

Result<std::string> ReadLexicon(models::ModelFiles& models) {
  ASSIGN_OR_RETURN(const auto file, models.Open(kLexicon));
  std::string lexicon(static_cast<size_t>(models::FindKnownModel(kLexicon)->bytes), '\0');
  size_t filled = 0;
  while (filled < lexicon.size()) {
    const ssize_t count = ::pread(file->number(), lexicon.data() + filled, lexicon.size() - filled,
                                  static_cast<off_t>(filled));
    if (count <= 0) {
      return Error::Io(StrCat("Cannot read ", kLexicon, "."));
    }
    filled += static_cast<size_t>(count);
  }
  return lexicon;
}

bool HasWords(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") != std::string_view::npos;
}

}  // namespace

Result<KindFinding> SentimentOf(const SourceText& source, std::string_view lexicon) {
  if (!HasWords(source.text)) {
    return KindFinding{words::SentimentJson({}, source.language)};
  }
  if (source.language != words::kSentimentLanguage) {
    KindFinding finding;
    finding.skipped = source.language.empty()
                          ? "Unsupported language: the language of the text cannot be told, and "
                            "there is a lexicon for 'en' alone."
                          : StrCat("Unsupported language: the text seems to be in '",
                                   source.language, "', and there is a lexicon for 'en' alone.");
    return finding;
  }
  ASSIGN_OR_RETURN(const auto scores, words::SentimentLexicon::Parse(lexicon));
  return KindFinding{
      words::SentimentJson(words::FindSentiment(source.text, scores), source.language)};
}

Analyzer SentimentAnalyzer(flows::Product& product, models::ModelFiles& models) {
  Analyzer analyzer;
  analyzer.kind = "comprehend.sentiment";
  analyzer.unavailable = [&models]() -> std::optional<std::string> {
    return models::FindKnownModel(kLexicon) == nullptr ? "This version has no lexicon for it."
                                                       : models.WhyMissing({kLexicon});
  };
  // The longest text takes a tenth of it.
  analyzer.cost = [](const Image& /*image*/) { return std::chrono::milliseconds(1'000); };
  analyzer.run = [&product, &models](const Image& image) -> Result<KindFinding> {
    ASSIGN_OR_RETURN(const SourceText source, ReadSourceText(product, image));
    ASSIGN_OR_RETURN(const std::string lexicon, ReadLexicon(models));
    return SentimentOf(source, lexicon);
  };
  return analyzer;
}

}  // namespace tintype::pipeline
