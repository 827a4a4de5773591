#pragma once

#include <string_view>

#include "base/result.h"
#include "flows/product.h"
#include "models/model_files.h"
#include "pipeline/analysis/analyzer.h"
#include "pipeline/analysis/source_text.h"

namespace tintype::pipeline {

/// How the author of a medium's text feels, in the shape of Comprehend's DetectSentiment:
/// `comprehend.sentiment`. English alone: a text in another language is skipped, one that is not
/// there is neutral. Both must outlive it.
Analyzer SentimentAnalyzer(flows::Product& product, models::ModelFiles& models);

/// The same for one text and the bytes of the lexicon. Errors: kCorruption for no lexicon.
Result<KindFinding> SentimentOf(const SourceText& source, std::string_view lexicon);

}  // namespace tintype::pipeline
