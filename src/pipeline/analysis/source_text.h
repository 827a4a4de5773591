#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "flows/product.h"

namespace tintype::pipeline {

/// What is said or written in a medium.
struct SourceText {
  std::string text;
  /// ISO 639-1; empty when it cannot be told.
  std::string language;
};

/// The text of a document, or the transcript of what is said in a video or in audio; no text where
/// there is none of it, or none yet. The language is that of the transcript, or the one that the
/// text seems to be in. Errors: kCorruption for a transcript that is none; those of the tables and
/// the blob store.
Result<SourceText> ReadSourceText(flows::Product& product, const contexts::catalog::Image& image);

/// The first transcript in a result of Amazon Transcribe's shape, and its language. Errors:
/// kCorruption.
Result<SourceText> ParseTranscript(std::string_view json);

}  // namespace tintype::pipeline
