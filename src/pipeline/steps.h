#pragma once

#include <map>
#include <string>

#include "darkroom/darkroom.h"
#include "flows/product.h"
#include "pipeline/workers.h"

namespace tintype::pipeline {

/// What this version does in the background, by the type of the work.
std::map<std::string, Step> AllSteps(flows::Product& product, darkroom::Darkroom& darkroom);

}  // namespace tintype::pipeline
