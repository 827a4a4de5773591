#include "pipeline/analysis/text_analyzer.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "flows/media_keys.h"
#include "json/writer.h"
#include "pipeline/analysis/pictures_of.h"
#include "pipeline/analysis/rekognition_json.h"
#include "pipeline/analysis/vision_models.h"

namespace tintype::pipeline {
namespace {

using contexts::catalog::Image;
using darkroom::Corner;
using darkroom::TextLine;
using darkroom::TextWord;

constexpr std::string_view kTextDetector = "text-detector.onnx";

/// A script that can be read, and what reads it.
struct Script {
  darkroom::TextScript script;
  std::string_view name;
  std::string_view model;
  std::string_view characters;
};
constexpr std::array<Script, 4> kScripts = {{
    {darkroom::TextScript::kEnglish, "english", "text-english.onnx", "text-english.txt"},
    {darkroom::TextScript::kLatin, "latin", "text-latin.onnx", "text-latin.txt"},
    {darkroom::TextScript::kChinese, "chinese", "text-chinese.onnx", "text-chinese.txt"},
    {darkroom::TextScript::kJapanese, "japanese", "text-japanese.onnx", "text-japanese.txt"},
}};

std::vector<Script> ScriptsOf(models::ModelFiles& models) {
  std::vector<Script> scripts;
  std::ranges::copy_if(kScripts, std::back_inserter(scripts), [&](const Script& script) {
    return !models.WhyMissing({script.model, script.characters});
  });
  return scripts;
}

/// The rectangle around corners, and they themselves.
void WriteGeometry(json::Writer& json, const std::vector<Corner>& corners) {
  const auto [left, right] = std::ranges::minmax(corners, {}, &Corner::x);
  const auto [top, bottom] = std::ranges::minmax(corners, {}, &Corner::y);
  json.Name("Geometry");
  json.OpenObject();
  WriteBoundingBox(json, left.x, top.y, right.x - left.x, bottom.y - top.y);
  json.Name("Polygon");
  json.OpenArray();
  for (const Corner& corner : corners) {
    json.OpenObject();
    json.Name("X").Number(corner.x);
    json.Name("Y").Number(corner.y);
    json.CloseObject();
  }
  json.CloseArray();
  json.CloseObject();
}

/// The part of a line that a word takes.
std::vector<Corner> CornersOf(const TextLine& line, const TextWord& word) {
  const auto between = [](const Corner& from, const Corner& to, double part) {
    return Corner{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
  };
  const std::vector<Corner>& corners = line.corners;
  return {between(corners[0], corners[1], word.from), between(corners[0], corners[1], word.to),
          between(corners[3], corners[2], word.to), between(corners[3], corners[2], word.from)};
}

Result<KindFinding> FindText(flows::Product& product, darkroom::Darkroom& vision,
                             models::ModelFiles& models, const Image& image) {
  OpenModels open(models);
  darkroom::FindTextRequest request;
  ASSIGN_OR_RETURN(request.detector, open.Open(kTextDetector));
  std::vector<std::string> names;
  for (const Script& script : ScriptsOf(models)) {
    darkroom::TextRecogniser recogniser;
    recogniser.script = script.script;
    ASSIGN_OR_RETURN(recogniser.model, open.Open(script.model));
    ASSIGN_OR_RETURN(recogniser.characters, open.Open(script.characters));
    request.recognisers.push_back(recogniser);
    names.emplace_back(script.name);
  }
  request.models = StrCat("text ", StrJoin(names, " "));
  std::vector<LinesAt> seen;
  RETURN_IF_ERROR(ForEachPicture(
      product, image, flows::Size::kLarge, [&](const PictureToSee& picture) -> Status {
        request.input = picture.descriptor;
        ASSIGN_OR_RETURN(std::vector<TextLine> lines, vision.FindText(image.user_id, request));
        seen.push_back({picture.time_ms.value_or(0), std::move(lines)});
        return OkStatus();
      }));
  if (HasFrames(image)) {
    return KindFinding{VideoTextJson(seen, names)};
  }
  return KindFinding{DetectTextJson(seen.front().lines, names)};
}

/// Writes lines and their words, each by `write` in an object of its own. Numbers go on from `id`.
class DetectionWriter {
 public:
  DetectionWriter(json::Writer& json, const std::vector<std::string>& names)
      : json_(json), names_(names) {}

  /// Members of the objects that come.
  void Write(const std::vector<TextLine>& lines, const std::optional<int64_t>& time_ms) {
    for (const TextLine& line : lines) {
      const int64_t parent = id_;
      Open(line.text, "LINE", line.confidence, time_ms);
      json_.Text("Script", names_[static_cast<size_t>(line.recogniser)]);
      WriteGeometry(json_, line.corners);
      Close(time_ms);
      for (const TextWord& word : line.words) {
        Open(std::string_view(line.text).substr(static_cast<size_t>(word.begin),
                                                static_cast<size_t>(word.end - word.begin)),
             "WORD", line.confidence, time_ms);
        json_.Integer("ParentId", parent);
        WriteGeometry(json_, CornersOf(line, word));
        Close(time_ms);
      }
    }
  }

 private:
  void Open(std::string_view text, std::string_view type, double confidence,
            const std::optional<int64_t>& time_ms) {
    json_.OpenObject();
    if (time_ms) {
      json_.Integer("Timestamp", *time_ms);
      json_.Name("TextDetection");
      json_.OpenObject();
    }
    json_.Text("DetectedText", text);
    json_.Text("Type", type);
    json_.Integer("Id", id_++);
    json_.Name("Confidence").Number(confidence * 100);
  }
  void Close(const std::optional<int64_t>& time_ms) {
    json_.CloseObject();
    if (time_ms) {
      json_.CloseObject();
    }
  }

  json::Writer& json_;
  const std::vector<std::string>& names_;
  int64_t id_ = 0;
};

void WriteVersion(json::Writer& json, const std::vector<std::string>& names) {
  json.Text("TextModelVersion", "PP-OCRv4");
  json.TextList("Scripts", names);
}

}  // namespace

std::string DetectTextJson(const std::vector<TextLine>& lines,
                           const std::vector<std::string>& names) {
  json::Writer json;
  json.OpenObject();
  json.Name("TextDetections");
  json.OpenArray();
  DetectionWriter(json, names).Write(lines, std::nullopt);
  json.CloseArray();
  WriteVersion(json, names);
  json.CloseObject();
  return std::move(json).Take();
}

std::string VideoTextJson(const std::vector<LinesAt>& seen, const std::vector<std::string>& names) {
  json::Writer json;
  json.OpenObject();
  json.Name("TextDetections");
  json.OpenArray();
  DetectionWriter detections(json, names);
  for (const LinesAt& moment : seen) {
    detections.Write(moment.lines, moment.time_ms);
  }
  json.CloseArray();
  WriteVersion(json, names);
  json.CloseObject();
  return std::move(json).Take();
}

Analyzer TextAnalyzer(flows::Product& product, darkroom::Darkroom& vision,
                      models::ModelFiles& models) {
  Analyzer analyzer;
  analyzer.kind = "rekognition.text";
  analyzer.unavailable = [&models]() -> std::optional<std::string> {
    if (auto missing = models.WhyMissing({kRuntimeLibrary, kTextDetector})) {
      return missing;
    }
    return ScriptsOf(models).empty()
               ? models.WhyMissing({kScripts.front().model, kScripts.front().characters})
               : std::nullopt;
  };
  // A page takes half a second for each script, four times that on a busy machine; a picture out of
  // a video has little text, if any.
  analyzer.cost = [](const Image& image) {
    return std::chrono::milliseconds(HasFrames(image) ? 60'000 : 8'000);
  };
  analyzer.run = [&](const Image& image) { return FindText(product, vision, models, image); };
  return analyzer;
}

}  // namespace tintype::pipeline
