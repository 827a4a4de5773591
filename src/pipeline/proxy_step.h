#pragma once

#include "darkroom/darkroom.h"
#include "flows/product.h"
#include "pipeline/workers.h"

namespace tintype::pipeline {

/// Makes the copy of a video or a sound that every browser plays. Without one the asset stays as it
/// is, and says why. Both must outlive the step.
Step ProxyStep(flows::Product& product, darkroom::Darkroom& av);

}  // namespace tintype::pipeline
