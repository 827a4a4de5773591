#include "pipeline/analysis/moderation_analyzer.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "flows/media_keys.h"
#include "json/writer.h"
#include "pipeline/analysis/pictures_of.h"
#include "pipeline/analysis/vision_models.h"

namespace tintype::pipeline {
namespace {

using contexts::catalog::Image;

constexpr std::string_view kModerationModel = "moderation.onnx";
constexpr std::string_view kModerationVersion = "nsfwjs 4.3.0 MobileNet v2";
// Rekognition's own, unless somebody asks for another.
constexpr double kModerationConfidenceMin = 0.5;

// The places of nsfwjs' classes.
constexpr size_t kHentai = 1;
constexpr size_t kPorn = 3;
constexpr size_t kSexy = 4;

struct ModerationLabel {
  std::string_view name;
  std::string_view parent;
  double confidence = 0;
};

Result<KindFinding> FindModerationLabels(flows::Product& product, darkroom::Darkroom& vision,
                                         models::ModelFiles& models, const Image& image) {
  OpenModels open(models);
  darkroom::ClassifyRequest request;
  ASSIGN_OR_RETURN(request.model, open.Open(kModerationModel));
  request.models = "moderation";
  std::vector<ScoresAt> seen;
  RETURN_IF_ERROR(ForEachPicture(
      product, image, flows::Size::kMedium, [&](const PictureToSee& picture) -> Status {
        request.input = picture.descriptor;
        ASSIGN_OR_RETURN(darkroom::Classified classified, vision.Classify(image.user_id, request));
        seen.push_back({picture.time_ms.value_or(0), std::move(classified.scores)});
        return OkStatus();
      }));
  if (HasFrames(image)) {
    return KindFinding{VideoModerationLabelsJson(seen)};
  }
  return KindFinding{DetectModerationLabelsJson(seen.front().scores)};
}

std::vector<ModerationLabel> ModerationLabelsOf(const std::vector<double>& scores) {
  CHECK(scores.size() == darkroom::kPictureClasses);
  constexpr std::string_view kExplicit = "Explicit Nudity";
  // A picture is of one class, so what several of them are is as likely as all of them together.
  const double is_explicit = std::min(1.0, scores[kPorn] + scores[kHentai]);
  std::vector<ModerationLabel> labels = {
      {kExplicit, "", is_explicit},
      {"Illustrated Explicit Nudity", kExplicit, scores[kHentai]},
      {"Suggestive", "", scores[kSexy]},
  };
  std::erase_if(labels, [](const ModerationLabel& label) {
    return label.confidence < kModerationConfidenceMin;
  });
  std::ranges::stable_sort(labels, std::greater{}, &ModerationLabel::confidence);
  return labels;
}

void WriteModerationLabel(json::Writer& json, const ModerationLabel& label) {
  json.OpenObject();
  json.Text("Name", label.name);
  json.Text("ParentName", label.parent);
  json.Name("Confidence").Number(label.confidence * 100);
  json.Integer("TaxonomyLevel", label.parent.empty() ? 1 : 2);
  json.CloseObject();
}

}  // namespace

std::string DetectModerationLabelsJson(const std::vector<double>& scores) {
  json::Writer json;
  json.OpenObject();
  json.Name("ModerationLabels");
  json.OpenArray();
  for (const ModerationLabel& label : ModerationLabelsOf(scores)) {
    WriteModerationLabel(json, label);
  }
  json.CloseArray();
  json.Text("ModerationModelVersion", kModerationVersion);
  json.CloseObject();
  return std::move(json).Take();
}

std::string VideoModerationLabelsJson(const std::vector<ScoresAt>& seen) {
  json::Writer json;
  json.OpenObject();
  json.Name("ModerationLabels");
  json.OpenArray();
  for (const ScoresAt& moment : seen) {
    for (const ModerationLabel& label : ModerationLabelsOf(moment.scores)) {
      json.OpenObject();
      json.Integer("Timestamp", moment.time_ms);
      json.Name("ModerationLabel");
      WriteModerationLabel(json, label);
      json.CloseObject();
    }
  }
  json.CloseArray();
  json.Text("ModerationModelVersion", kModerationVersion);
  json.CloseObject();
  return std::move(json).Take();
}

Analyzer ModerationAnalyzer(flows::Product& product, darkroom::Darkroom& vision,
                            models::ModelFiles& models) {
  Analyzer analyzer;
  analyzer.kind = "rekognition.moderation";
  analyzer.unavailable = [&models] {
    return models.WhyMissing({kRuntimeLibrary, kModerationModel});
  };
  // 11 ms, and loading the model several times that.
  analyzer.cost = [](const Image& /*image*/) { return std::chrono::milliseconds(1'000); };
  analyzer.run = [&](const Image& image) {
    return FindModerationLabels(product, vision, models, image);
  };
  return analyzer;
}

}  // namespace tintype::pipeline
