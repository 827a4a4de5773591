#pragma once

#include <string_view>

#include "darkroom/darkroom.h"
#include "flows/product.h"
#include "pipeline/workers.h"

namespace tintype::pipeline {

/// The providers of this version: `local`, which edits with the darkroom, and `stub`, whose result
/// is the picture as it was.
bool IsProvider(std::string_view name);

/// Does edit jobs. A job that cannot be done ends as FAILED; one that may work later is tried
/// again, and is FAILED when that was done often enough. Both must outlive the step.
Step EditStep(flows::Product& product, darkroom::Darkroom& darkroom);

}  // namespace tintype::pipeline
