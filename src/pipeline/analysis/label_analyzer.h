#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "darkroom/darkroom.h"
#include "flows/product.h"
#include "models/model_files.h"
#include "pipeline/analysis/analyzer.h"

namespace tintype::pipeline {

/// Things in pictures and in those out of videos, each with its boxes, by a detector of COCO's 80
/// classes, in the shape of Rekognition's DetectLabels: `rekognition.label`. All three must outlive
/// it.
Analyzer LabelAnalyzer(flows::Product& product, darkroom::Darkroom& vision,
                       models::ModelFiles& models);

/// The answer in that shape: a label for each class, with an instance for each thing, and one for
/// each that it is a kind of.
std::string DetectLabelsJson(const std::vector<darkroom::FoundObject>& objects);

/// What is seen at a moment of a video.
struct ObjectsAt {
  int64_t time_ms = 0;
  std::vector<darkroom::FoundObject> objects;
};
/// The same of a video, in the shape of Rekognition's GetLabelDetection.
std::string VideoLabelsJson(const std::vector<ObjectsAt>& seen);

}  // namespace tintype::pipeline
