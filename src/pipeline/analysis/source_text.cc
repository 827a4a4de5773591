#include "pipeline/analysis/source_text.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/common/media_type.h"
#include "flows/analysis/read_result.h"
#include "flows/config.h"
#include "flows/media_keys.h"
#include "json/value.h"
#include "words/characters.h"
#include "words/language.h"

namespace tintype::pipeline {
namespace {

using contexts::catalog::Image;

/// As flows::ReadAnalysisResult has it.
constexpr size_t kTranscriptBytesMax = size_t{32} << 20;

/// `en` of `en-US`; empty for what is no such code. Norwegian has two that we do not tell apart.
std::string LanguageOfLocale(std::string_view locale) {
  std::string code;
  for (const char c : locale.substr(0, locale.find_first_of("-_"))) {
    code.push_back(ToLower(c));
  }
  if (code == "nb" || code == "nn") {
    return "no";
  }
  const bool is_code =
      code.size() == 2 && std::ranges::all_of(code, [](char c) { return c >= 'a' && c <= 'z'; });
  return is_code ? code : "";
}

Result<std::string> ReadDocumentText(flows::Product& product, const Image& image) {
  const blobs::BlobKey key{product.config.images_bucket, flows::TextKey(image.id)};
  ASSIGN_OR_RETURN(const auto blob, product.blobs.Open(key));
  // As much as is looked at, and the rest of the character that is on the border.
  std::string text(std::min<uint64_t>(blob->bytes(), words::kTextBytesMax + 4), '\0');
  ASSIGN_OR_RETURN(const size_t read, blob->Read(0, std::span<char>(text)));
  text.resize(read);
  text.resize(words::Bounded(text).size());
  return text;
}

/// Errors: kNotFound when there is no text.
Result<SourceText> FindSourceText(flows::Product& product, const Image& image) {
  if (contexts::MediaTypeOf(image.mime_type) == "document") {
    SourceText source;
    ASSIGN_OR_RETURN(source.text, ReadDocumentText(product, image));
    return source;
  }
  ASSIGN_OR_RETURN(const std::string json,
                   flows::ReadAnalysisResult(product, image.id, "transcribe"));
  return ParseTranscript(json);
}

}  // namespace

Result<SourceText> ParseTranscript(std::string_view json) {
  const Error damaged = Error::Corruption("The transcript has not the shape of one.");
  const Result<json::Value> value = json::Parse(json, kTranscriptBytesMax);
  const json::Value* const results = value.ok() ? value->Find("results") : nullptr;
  const json::Value* const list = results == nullptr ? nullptr : results->Find("transcripts");
  if (list == nullptr || list->array() == nullptr) {
    return damaged;
  }
  SourceText source;
  if (!list->array()->empty()) {
    const json::Value* const transcript = list->array()->front().Find("transcript");
    if (transcript == nullptr || transcript->text() == nullptr) {
      return damaged;
    }
    source.text = *transcript->text();
  }
  const json::Value* const locale = results->Find("language_code");
  if (locale != nullptr && locale->text() != nullptr) {
    source.language = LanguageOfLocale(*locale->text());
  }
  return source;
}

Result<SourceText> ReadSourceText(flows::Product& product, const Image& image) {
  Result<SourceText> source = FindSourceText(product, image);
  if (!source.ok()) {
    return source.error().kind() == ErrorKind::kNotFound ? SourceText{}
                                                         : Result<SourceText>(source.error());
  }
  if (source->language.empty()) {
    source->language = words::DetectLanguage(source->text).code;
  }
  return source;
}

}  // namespace tintype::pipeline
