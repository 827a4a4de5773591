#pragma once

#include <string>
#include <vector>

#include "darkroom/darkroom.h"
#include "flows/product.h"
#include "models/model_files.h"
#include "pipeline/analysis/analyzer.h"

namespace tintype::pipeline {

/// Things in pictures, each with its boxes, by a detector of COCO's 80 classes, in the shape of
/// Rekognition's DetectLabels: `rekognition.label`. All three must outlive it.
Analyzer LabelAnalyzer(flows::Product& product, darkroom::Darkroom& vision,
                       models::ModelFiles& models);

/// The answer in that shape: a label for each class, with an instance for each thing, and one for
/// each that it is a kind of.
std::string DetectLabelsJson(const std::vector<darkroom::FoundObject>& objects);

}  // namespace tintype::pipeline
