#include "pipeline/analysis/label_analyzer.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "flows/media_keys.h"
#include "json/writer.h"
#include "pipeline/analysis/coco_labels.h"
#include "pipeline/analysis/rekognition_json.h"
#include "pipeline/analysis/vision_models.h"

namespace tintype::pipeline {
namespace {

using contexts::catalog::Image;
using darkroom::FoundObject;

constexpr std::string_view kObjectDetector = "objects.onnx";

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
  const blobs::BlobKey key{product.config.images_bucket,
                           flows::StoredKey(image.id, image.picture(), flows::Size::kMedium)};
  ASSIGN_OR_RETURN(const auto picture, product.blobs.OpenLocal(key));
  OpenModels open(models);
  darkroom::FindObjectsRequest request;
  request.input = picture->descriptor();
  ASSIGN_OR_RETURN(request.model, open.Open(kObjectDetector));
  request.models = "objects";
  ASSIGN_OR_RETURN(const darkroom::FoundObjects found, vision.FindObjects(image.user_id, request));
  return KindFinding{DetectLabelsJson(found.objects)};
}

}  // namespace

std::string DetectLabelsJson(const std::vector<FoundObject>& objects) {
  json::Writer json;
  json.OpenObject();
  json.Name("Labels");
  json.OpenArray();
  for (const Label& label : LabelsOf(objects)) {
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
  json.CloseArray();
  json.Text("LabelModelVersion", "COCO SSD MobileNet v2");
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
  // 20 ms, and loading the model five times that.
  analyzer.cost = [](const Image& /*image*/) { return std::chrono::milliseconds(1'000); };
  analyzer.run = [&](const Image& image) { return FindLabels(product, vision, models, image); };
  return analyzer;
}

}  // namespace tintype::pipeline
