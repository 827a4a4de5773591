#pragma once

#include <map>
#include <string>

#include "blobs/derived_files.h"
#include "flows/product.h"
#include "pipeline/analysis/analyzer.h"
#include "pipeline/helpers.h"
#include "pipeline/workers.h"

namespace tintype::pipeline {

/// What this version does in the background, by the type of the work. `derived` goes with images
/// that are deleted. All of them must outlive the steps.
std::map<std::string, Step> AllSteps(flows::Product& product, const Helpers& helpers,
                                     blobs::DerivedFiles& derived, const Analyzers& analyzers);

}  // namespace tintype::pipeline
