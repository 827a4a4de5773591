#pragma once

#include "base/result.h"
#include "darkroom/limits.h"
#include "darkroom/requests.h"
#include "darkroom/vision/loaded_models.h"

namespace tintype::darkroom::vision {

/// How likely each of a model's classes is for a picture.
Result<Classified> RunClassify(const ClassifyRequest& request, const PixelLimits& limits,
                               LoadedModels& models);

}  // namespace tintype::darkroom::vision
