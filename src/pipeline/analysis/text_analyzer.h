#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "darkroom/darkroom.h"
#include "flows/product.h"
#include "models/model_files.h"
#include "pipeline/analysis/analyzer.h"

namespace tintype::pipeline {

/// Text in pictures and in those out of videos, by PP-OCR, in the shape of Rekognition's
/// DetectText: `rekognition.text`. It reads whichever scripts there are models for. All three must
/// outlive it.
Analyzer TextAnalyzer(flows::Product& product, darkroom::Darkroom& vision,
                      models::ModelFiles& models);

/// The answer in that shape. `names` are those of the recognisers, by their numbers.
std::string DetectTextJson(const std::vector<darkroom::TextLine>& lines,
                           const std::vector<std::string>& names);

/// What is read at a moment of a video.
struct LinesAt {
  int64_t time_ms = 0;
  std::vector<darkroom::TextLine> lines;
};
/// The same of a video, in the shape of Rekognition's GetTextDetection.
std::string VideoTextJson(const std::vector<LinesAt>& seen, const std::vector<std::string>& names);

}  // namespace tintype::pipeline
