#include "pipeline/analysis/label_analyzer.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "flows/media_keys.h"
#include "json/writer.h"
#include "pipeline/analysis/coco_labels.h"
#include "pipeline/analysis/pictures_of.h"
#include "pipeline/analysis/rekognition_json.h"
#include "pipeline/analysis/vision_models.h"

namespace tintype::pipeline {
namespace {

using contexts::catalog::Image;
using darkroom::FoundObject;

constexpr std::string_view kObjectDetector = "objects.onnx";
constexpr std::string_view kModelVersion = "COCO SSD MobileNet v2";

struct Label {
  std::string_view name;
  std::string_view parent;
  double confidence = 0;
  std::vector<FoundObject> instances;
};

/// The labels of things that are sorted by how sure they are, the surest label first.
std::vector<Label> LabelsOf(const std::vector<FoundObject>& objects) {
  std::vector<Label> labels;
  const auto named = [&](std::string_view name, std::string_view parent) -> Label& {
    const auto known = std::ranges::find(labels, name, &Label::name);
    return known == labels.end() ? labels.emplace_back(Label{name, parent, 0, {}}) : *known;
  };
  for (const FoundObject& object : objects) {
    const CocoLabel* const known = FindCocoLabel(object.kind);
    if (known == nullptr) {
      continue;
    }
    Label& label = named(known->name, known->parent);
    label.confidence = std::max(label.confidence, object.confidence);
    label.instances.push_back(object);
    if (!known->parent.empty()) {
      Label& parent = named(known->parent, "");
      parent.confidence = std::max(parent.confidence, object.confidence);
    }
  }
  std::ranges::stable_sort(labels, std::greater{}, &Label::confidence);
  return labels;
}

Result<KindFinding> FindLabels(flows::Product& product, darkroom::Darkroom& vision,
                               models::ModelFiles& models, const Image& image) {
  OpenModels open(models);
  darkroom::FindObjectsRequest request;
  ASSIGN_OR_RETURN(request.model, open.Open(kObjectDetector));
  request.models = "objects";
  std::vector<ObjectsAt> seen;
  RETURN_IF_ERROR(ForEachPicture(
      product, image, flows::Size::kMedium, [&](const PictureToSee& picture) -> Status {
        request.input = picture.descriptor;
        ASSIGN_OR_RETURN(darkroom::FoundObjects found, vision.FindObjects(image.user_id, request));
        seen.push_back({picture.time_ms.value_or(0), std::move(found.objects)});
        return OkStatus();
      }));
  if (HasFrames(image)) {
    return KindFinding{VideoLabelsJson(seen)};
  }
  return KindFinding{DetectLabelsJson(seen.front().objects)};
}

void WriteLabel(json::Writer& json, const Label& label) {
  json.OpenObject();
  json.Text("Name", label.name);
  json.Name("Confidence").Number(label.confidence * 100);
  json.Name("Instances");
  json.OpenArray();
  for (const FoundObject& object : label.instances) {
    json.OpenObject();
    WriteBoundingBox(json, object.left, object.top, object.width, object.height);
    json.Name("Confidence").Number(object.confidence * 100);
    json.CloseObject();
  }
  json.CloseArray();
  json.Name("Parents");
  json.OpenArray();
  if (!label.parent.empty()) {
    json.OpenObject();
    json.Text("Name", label.parent);
    json.CloseObject();
  }
  json.CloseArray();
  json.CloseObject();
}

}  // namespace

std::string DetectLabelsJson(const std::vector<FoundObject>& objects) {
  json::Writer json;
  json.OpenObject();
  json.Name("Labels");
  json.OpenArray();
  for (const Label& label : LabelsOf(objects)) {
    WriteLabel(json, label);
  }
  json.CloseArray();
  json.Text("LabelModelVersion", kModelVersion);
  json.CloseObject();
  return std::move(json).Take();
}

std::string VideoLabelsJson(const std::vector<ObjectsAt>& seen) {
  json::Writer json;
  json.OpenObject();
  json.Name("Labels");
  json.OpenArray();
  for (const ObjectsAt& moment : seen) {
    for (const Label& label : LabelsOf(moment.objects)) {
      json.OpenObject();
      json.Integer("Timestamp", moment.time_ms);
      json.Name("Label");
      WriteLabel(json, label);
      json.CloseObject();
    }
  }
  json.CloseArray();
  json.Text("LabelModelVersion", kModelVersion);
  json.CloseObject();
  return std::move(json).Take();
}

Analyzer LabelAnalyzer(flows::Product& product, darkroom::Darkroom& vision,
                       models::ModelFiles& models) {
  Analyzer analyzer;
  analyzer.kind = "rekognition.label";
  analyzer.unavailable = [&models] {
    return models.WhyMissing({kRuntimeLibrary, kObjectDetector});
  };
  // 20 ms a picture, and loading the model five times that.
  analyzer.cost = [](const Image& image) {
    return std::chrono::milliseconds(HasFrames(image) ? 4'000 : 1'000);
  };
  analyzer.run = [&](const Image& image) { return FindLabels(product, vision, models, image); };
  return analyzer;
}

}  // namespace tintype::pipeline
