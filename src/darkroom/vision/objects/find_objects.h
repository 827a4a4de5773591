#pragma once

#include "base/result.h"
#include "darkroom/limits.h"
#include "darkroom/requests.h"
#include "darkroom/vision/loaded_models.h"

namespace tintype::darkroom::vision {

/// Finds things in a picture, by a detector of COCO's 80 classes.
Result<FoundObjects> RunFindObjects(const FindObjectsRequest& request, const PixelLimits& limits,
                                    LoadedModels& models);

}  // namespace tintype::darkroom::vision
