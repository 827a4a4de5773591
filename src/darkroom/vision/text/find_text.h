#pragma once

#include "base/result.h"
#include "darkroom/limits.h"
#include "darkroom/requests.h"
#include "darkroom/vision/loaded_models.h"

namespace tintype::darkroom::vision {

/// Finds and reads the text in a picture, and writes it into the request's output. Lines come from
/// the top of the picture, those at one height from the left.
Result<FoundText> RunFindText(const FindTextRequest& request, const PixelLimits& limits,
                              LoadedModels& models);

}  // namespace tintype::darkroom::vision
