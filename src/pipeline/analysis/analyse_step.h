#pragma once

#include "flows/product.h"
#include "pipeline/analysis/analyzer.h"
#include "pipeline/workers.h"

namespace tintype::pipeline {

/// Queues each kind of a medium's analysis that is to be done. Both must outlive the step.
Step AnalyseStep(flows::Product& product, const Analyzers& analyzers);

/// Does one of them: the result goes into a blob, and the record points at it. An error is this
/// kind's alone. Both must outlive the step.
Step AnalyseKindStep(flows::Product& product, const Analyzers& analyzers);

}  // namespace tintype::pipeline
