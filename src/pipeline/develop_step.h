#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "flows/images/develop.h"
#include "flows/product.h"
#include "pipeline/analysis/analyzer.h"
#include "pipeline/helpers.h"
#include "pipeline/workers.h"

namespace tintype::pipeline {

/// Develops what was uploaded: the original to its place, every size, the analysis record. An
/// upload that cannot be developed ends as a failed image with a reason, its original kept. All of
/// them must outlive the step.
Step DevelopStep(flows::Product& product, const Helpers& helpers, const Analyzers& analyzers);

/// Makes what is shown of an account's original that is in its place, by what kind of file it is,
/// and finds out about it what records tell; they do not tell it yet. Errors: kNotFound when the
/// original is missing; the darkroom's.
Result<flows::DevelopResult> DevelopOriginal(flows::Product& product, const Helpers& helpers,
                                             const Analyzers& analyzers,
                                             std::string_view account_id,
                                             const contexts::backlog::Work& work,
                                             const std::string& started_at);

}  // namespace tintype::pipeline
