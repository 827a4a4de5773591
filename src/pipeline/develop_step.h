#pragma once

#include "darkroom/darkroom.h"
#include "flows/product.h"
#include "pipeline/workers.h"

namespace tintype::pipeline {

/// Develops what was uploaded: the original to its place, every size, the analysis record. What can
/// not be developed ends as a failed image with a reason, its original kept. Both must outlive the
/// step.
Step DevelopStep(flows::Product& product, darkroom::Darkroom& darkroom);

}  // namespace tintype::pipeline
