#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "darkroom/darkroom.h"
#include "flows/product.h"
#include "models/model_files.h"
#include "pipeline/analysis/analyzer.h"

namespace tintype::pipeline {

/// Pictures that are not for everybody, by nsfwjs' classifier, in the shape of Rekognition's
/// DetectModerationLabels: `rekognition.moderation`. It flags and does nothing else. All three must
/// outlive it.
Analyzer ModerationAnalyzer(flows::Product& product, darkroom::Darkroom& vision,
                            models::ModelFiles& models);

/// The answer in that shape, with the labels of Rekognition's taxonomy 6.1 that the classes stand
/// for: those that are likelier than not, the surest first. `scores` has the classes of nsfwjs:
/// Drawing, Hentai, Neutral, Porn, Sexy.
std::string DetectModerationLabelsJson(const std::vector<double>& scores);

/// The classes of a picture at a moment of a video.
struct ScoresAt {
  int64_t time_ms = 0;
  std::vector<double> scores;
};
/// The same of a video, in the shape of Rekognition's GetContentModeration.
std::string VideoModerationLabelsJson(const std::vector<ScoresAt>& seen);

}  // namespace tintype::pipeline
