#pragma once

#include "flows/product.h"
#include "pipeline/analysis/analyzer.h"

namespace tintype::pipeline {

/// What the text of a medium names, in the shape of Comprehend's DetectEntities:
/// `comprehend.entity`. Without a text there is nothing. `product` must outlive it.
Analyzer EntityAnalyzer(flows::Product& product);

}  // namespace tintype::pipeline
