#include "pipeline/analysis/speech_analyzer.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/common/item.h"
#include "flows/media_keys.h"
#include "json/writer.h"
#include "pipeline/analysis/vision_models.h"

namespace tintype::pipeline {
namespace {

using contexts::catalog::Image;
using darkroom::SpeechSegment;
using darkroom::SpeechWord;
using darkroom::Transcript;

constexpr std::string_view kVocabulary = "speech-vocabulary.json";
constexpr std::string_view kNoSpeakers =
    "There is no model here that tells voices apart, so nobody knows who speaks when.";

/// The two halves of a model.
struct SpeechModel {
  std::string_view name;
  std::string_view encoder;
  std::string_view decoder;
};
/// The better ones first.
constexpr std::array<SpeechModel, 2> kSpeechModels = {{
    {"Whisper base", "speech-base-encoder.onnx", "speech-base-decoder.onnx"},
    {"Whisper tiny", "speech-tiny-encoder.onnx", "speech-tiny-decoder.onnx"},
}};

std::optional<SpeechModel> ModelThatIsThere(models::ModelFiles& models) {
  for (const SpeechModel& model : kSpeechModels) {
    if (!models.WhyMissing({model.encoder, model.decoder, kVocabulary})) {
      return model;
    }
  }
  return std::nullopt;
}

/// Languages for which Amazon Transcribe wants to know the country.
constexpr std::array<std::pair<std::string_view, std::string_view>, 46> kLocales = {{
    {"af", "af-ZA"}, {"ar", "ar-SA"}, {"bg", "bg-BG"}, {"ca", "ca-ES"}, {"cs", "cs-CZ"},
    {"cy", "cy-WL"}, {"da", "da-DK"}, {"de", "de-DE"}, {"el", "el-GR"}, {"en", "en-US"},
    {"es", "es-ES"}, {"et", "et-EE"}, {"eu", "eu-ES"}, {"fa", "fa-IR"}, {"fi", "fi-FI"},
    {"fr", "fr-FR"}, {"gl", "gl-ES"}, {"he", "he-IL"}, {"hi", "hi-IN"}, {"hr", "hr-HR"},
    {"hu", "hu-HU"}, {"id", "id-ID"}, {"is", "is-IS"}, {"it", "it-IT"}, {"ja", "ja-JP"},
    {"ko", "ko-KR"}, {"lt", "lt-LT"}, {"lv", "lv-LV"}, {"ms", "ms-MY"}, {"nl", "nl-NL"},
    {"no", "no-NO"}, {"pl", "pl-PL"}, {"pt", "pt-PT"}, {"ro", "ro-RO"}, {"ru", "ru-RU"},
    {"sk", "sk-SK"}, {"sl", "sl-SI"}, {"sr", "sr-RS"}, {"sv", "sv-SE"}, {"ta", "ta-IN"},
    {"te", "te-IN"}, {"th", "th-TH"}, {"tr", "tr-TR"}, {"uk", "uk-UA"}, {"vi", "vi-VN"},
    {"zh", "zh-CN"},
}};

std::string Decimals(const char* format, double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, number);
  return text.data();
}
/// As Amazon Transcribe has times: "12.34".
std::string Seconds(int64_t ms) { return Decimals("%.3f", static_cast<double>(ms) / 1000); }

/// `00:01:02.345`
std::string VttTime(int64_t ms) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%02d:%02d:%02d.%03d", static_cast<int>(ms / 3'600'000),
                static_cast<int>(ms / 60'000 % 60), static_cast<int>(ms / 1000 % 60),
                static_cast<int>(ms % 1000));
  return text.data();
}

/// How many bytes of a word's end are marks.
size_t MarksOf(std::string_view word) {
  constexpr std::string_view kMarks = ".,!?;:";
  size_t marks = 0;
  while (marks < word.size() && kMarks.find(word[word.size() - 1 - marks]) != kMarks.npos) {
    ++marks;
  }
  return marks;
}

/// Writes items, whose numbers go on.
class ItemWriter {
 public:
  explicit ItemWriter(json::Writer& json) : json_(json) {}

  /// A word, and the marks behind it as items of their own. Returns the numbers of those.
  void Write(const SpeechWord& word) {
    const size_t marks = MarksOf(word.text);
    const std::string_view text = std::string_view(word.text).substr(0, word.text.size() - marks);
    if (!text.empty()) {
      Open("pronunciation", text, Decimals("%.3f", word.confidence));
      json_.Text("start_time", Seconds(word.begin_ms));
      json_.Text("end_time", Seconds(word.end_ms));
      json_.CloseObject();
    }
    if (marks > 0) {
      Open("punctuation", std::string_view(word.text).substr(text.size()), "0.0");
      json_.CloseObject();
    }
  }
  int64_t count() const { return count_; }

 private:
  void Open(std::string_view type, std::string_view content, const std::string& confidence) {
    json_.OpenObject();
    json_.Integer("id", count_++);
    json_.Text("type", type);
    json_.Name("alternatives");
    json_.OpenArray();
    json_.OpenObject();
    json_.Text("confidence", confidence);
    json_.Text("content", content);
    json_.CloseObject();
    json_.CloseArray();
  }

  json::Writer& json_;
  int64_t count_ = 0;
};

int64_t ItemsOf(const SpeechSegment& segment) {
  int64_t items = 0;
  for (const SpeechWord& word : segment.words) {
    const size_t marks = MarksOf(word.text);
    items += (marks < word.text.size() ? 1 : 0) + (marks > 0 ? 1 : 0);
  }
  return items;
}

std::string WholeText(const Transcript& transcript) {
  std::vector<std::string> texts;
  texts.reserve(transcript.segments.size());
  for (const SpeechSegment& segment : transcript.segments) {
    texts.push_back(segment.text);
  }
  return StrJoin(texts, " ");
}

/// By how long each segment is.
double MeanConfidence(const Transcript& transcript) {
  double sum = 0;
  double length = 0;
  for (const SpeechSegment& segment : transcript.segments) {
    const auto part = static_cast<double>(std::max<int64_t>(1, segment.end_ms - segment.begin_ms));
    sum += part * segment.confidence;
    length += part;
  }
  return length > 0 ? sum / length : 0;
}

Result<Descriptor> OpenSamples() {
  // In memory, as what is decrypted of a file must not lie on a disk: 115 MB an hour.
  Descriptor samples(::memfd_create("speech", MFD_CLOEXEC));
  if (!samples.valid()) {
    return Error(ErrorKind::kOverloaded, "Too many files are open; try again later");
  }
  return samples;
}

Status StoreCaptions(flows::Product& product, const Image& image, const Transcript& transcript) {
  ASSIGN_OR_RETURN(const auto writer, product.blobs.Create({product.config.images_bucket,
                                                            flows::CaptionsKey(image.id)}));
  RETURN_IF_ERROR(writer->Write(WebVtt(transcript)));
  const auto stored = writer->Commit();
  return stored.ok() ? OkStatus() : Status(stored.error());
}

Result<KindFinding> FindSpeech(flows::Product& product, darkroom::Darkroom& av,
                               darkroom::Darkroom& vision, models::ModelFiles& models,
                               const Image& image) {
  ASSIGN_OR_RETURN(
      const auto original,
      product.blobs.OpenLocal(
          {product.config.images_bucket, flows::StoredKey(image.id, 0, flows::Size::kOriginal)}));
  ASSIGN_OR_RETURN(const Descriptor samples, OpenSamples());
  darkroom::SpeechRequest decode;
  decode.input = original->descriptor();
  decode.media_type = image.mime_type;
  decode.output = samples.number();
  decode.duration_ms = std::llround(image.media.duration.value_or(0) * 1000);
  ASSIGN_OR_RETURN(const darkroom::Speech speech, av.DecodeSpeech(image.user_id, decode));
  Transcript transcript;
  const std::optional<SpeechModel> model = ModelThatIsThere(models);
  if (!model) {
    return Error(ErrorKind::kUnavailable, "The models for speech have gone.");
  }
  if (speech.samples > 0) {
    OpenModels open(models);
    darkroom::TranscribeRequest request;
    request.input = samples.number();
    ASSIGN_OR_RETURN(request.encoder, open.Open(model->encoder));
    ASSIGN_OR_RETURN(request.decoder, open.Open(model->decoder));
    ASSIGN_OR_RETURN(request.vocabulary, open.Open(kVocabulary));
    request.models = model->name;
    ASSIGN_OR_RETURN(transcript, vision.Transcribe(image.user_id, std::move(request)));
  }
  RETURN_IF_ERROR(StoreCaptions(product, image, transcript));
  const std::string job = StrCat("transcribe-", image.id);
  KindFinding finding;
  finding.json = TranscribeJson(transcript, job, model->name);
  finding.details = TranscribeDetails(transcript, job);
  return finding;
}

}  // namespace

std::string LocaleOf(std::string_view language) {
  for (const auto& [code, locale] : kLocales) {
    if (code == language) {
      return std::string(locale);
    }
  }
  return std::string(language);
}

std::string TranscribeJson(const Transcript& transcript, std::string_view job,
                           std::string_view model) {
  json::Writer json;
  json.OpenObject();
  json.Text("jobName", job);
  json.Text("status", "COMPLETED");
  json.Name("results");
  json.OpenObject();
  if (!transcript.language.empty()) {
    const std::string locale = LocaleOf(transcript.language);
    json.Text("language_code", locale);
    json.Name("language_identification");
    json.OpenArray();
    json.OpenObject();
    json.Text("score", Decimals("%.4f", transcript.language_confidence));
    json.Text("code", locale);
    json.CloseObject();
    json.CloseArray();
  }
  json.Name("transcripts");
  json.OpenArray();
  json.OpenObject();
  json.Text("transcript", WholeText(transcript));
  json.CloseObject();
  json.CloseArray();
  json.Name("items");
  json.OpenArray();
  ItemWriter items(json);
  for (const SpeechSegment& segment : transcript.segments) {
    for (const SpeechWord& word : segment.words) {
      items.Write(word);
    }
  }
  json.CloseArray();
  json.Name("audio_segments");
  json.OpenArray();
  int64_t number = 0;
  int64_t item = 0;
  for (const SpeechSegment& segment : transcript.segments) {
    json.OpenObject();
    json.Integer("id", number++);
    json.Text("transcript", segment.text);
    json.Text("start_time", Seconds(segment.begin_ms));
    json.Text("end_time", Seconds(segment.end_ms));
    json.Text("confidence", Decimals("%.3f", segment.confidence));
    json.Name("items");
    json.OpenArray();
    for (const int64_t end = item + ItemsOf(segment); item < end; ++item) {
      json.Integer(item);
    }
    json.CloseArray();
    json.CloseObject();
  }
  json.CloseArray();
  json.CloseObject();
  json.Text("Model", model);
  json.Text("SpeakersReason", kNoSpeakers);
  json.CloseObject();
  return std::move(json).Take();
}

std::string WebVtt(const Transcript& transcript) {
  std::string vtt = "WEBVTT\n";
  for (const SpeechSegment& segment : transcript.segments) {
    StrAppend(vtt, "\n", VttTime(segment.begin_ms), " --> ", VttTime(segment.end_ms), "\n");
    // What would be markup is text: somebody has said it.
    for (const char c : segment.text) {
      if (c == '&') {
        vtt += "&amp;";
      } else if (c == '<') {
        vtt += "&lt;";
      } else if (c == '>') {
        vtt += "&gt;";
      } else {
        vtt += c;
      }
    }
    vtt += "\n";
  }
  return vtt;
}

tables::Item TranscribeDetails(const Transcript& transcript, std::string_view job) {
  contexts::ItemBuilder details;
  details.Text("jobName", job);
  if (!transcript.language.empty()) {
    details.Text("languageCode", LocaleOf(transcript.language))
        .Decimal("confidence", MeanConfidence(transcript));
  }
  details.TextList("speakers", {}).Text("speakersReason", kNoSpeakers);
  return details.Build();
}

Analyzer SpeechAnalyzer(flows::Product& product, darkroom::Darkroom& av, darkroom::Darkroom& vision,
                        models::ModelFiles& models) {
  Analyzer analyzer;
  analyzer.kind = "transcribe";
  analyzer.unavailable = [&models]() -> std::optional<std::string> {
    if (auto missing = models.WhyMissing({kRuntimeLibrary})) {
      return missing;
    }
    const SpeechModel& smallest = kSpeechModels.back();
    return ModelThatIsThere(models)
               ? std::nullopt
               : models.WhyMissing({smallest.encoder, smallest.decoder, kVocabulary});
  };
  // An eighth of the time that it lasts, four times that on a busy machine.
  analyzer.cost = [](const Image& image) {
    return std::chrono::milliseconds(5'000) +
           std::chrono::milliseconds(std::llround(image.media.duration.value_or(60) * 500));
  };
  analyzer.run = [&](const Image& image) { return FindSpeech(product, av, vision, models, image); };
  return analyzer;
}

}  // namespace tintype::pipeline
