#include "darkroom/vision/moderation/classify.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "darkroom/failure.h"
#include "darkroom/vision/picture.h"

namespace tintype::darkroom::vision {
namespace {

// What the model sees of any picture, whatever its shape.
constexpr int32_t kClassifiedSide = 224;

}  // namespace

Result<Classified> RunClassify(const ClassifyRequest& request, const PixelLimits& limits,
                               LoadedModels& models) {
  ASSIGN_OR_RETURN(const Picture picture, DecodePicture(request.input, limits));
  const Picture seen = Resized(picture, kClassifiedSide, kClassifiedSide);
  constexpr size_t kPlane = size_t{kClassifiedSide} * kClassifiedSide;
  Tensor input{{1, 3, kClassifiedSide, kClassifiedSide}, std::vector<float>(kPlane * 3)};
  for (size_t i = 0; i < kPlane; ++i) {
    for (size_t c = 0; c < 3; ++c) {
      // Red first, from 0 to 1.
      input.values[c * kPlane + i] = static_cast<float>(seen.pixels[i * 3 + 2 - c]) / 255;
    }
  }
  models.Use(request.models);
  ASSIGN_OR_RETURN(ModelSession * model, models.Model(0, request.model));
  ASSIGN_OR_RETURN(const std::vector<Tensor> outputs, model->Run(input));
  const std::vector<float>& scores = outputs.front().values;
  if (scores.size() != kPictureClasses ||
      !std::ranges::all_of(scores, [](float score) { return std::isfinite(score); })) {
    return MakeFailure(FailureKind::kNotRunning, "A model is none that classifies pictures");
  }
  Classified classified;
  for (const float score : scores) {
    classified.scores.push_back(std::clamp(static_cast<double>(score), 0.0, 1.0));
  }
  return classified;
}

}  // namespace tintype::darkroom::vision
