#pragma once

#include "flows/product.h"
#include "pipeline/analysis/analyzer.h"
#include "pipeline/helpers.h"
#include "pipeline/workers.h"

namespace tintype::pipeline {

/// Makes the renditions of one image anew, those of its edits too, and what is found out about the
/// picture. Old ones stay until they are replaced; work that cannot be done is dead, and says why.
/// An image that could not be developed before is developed.
Step RebuildStep(flows::Product& product, const Helpers& helpers, const Analyzers& analyzers);

}  // namespace tintype::pipeline
