#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "flows/parts.h"

namespace tintype::flows {

/// What was found of one kind in a medium, as the analyzer wrote it, whoever asks. Errors:
/// kNotFound when there is no such kind, or it is not completed; kCorruption for a file that is
/// larger than any analyzer writes.
Result<std::string> ReadAnalysisResult(const Uses<ConfigPart, BlobsPart, AnalysisPart>& parts,
                                       std::string_view id, std::string_view kind);

}  // namespace tintype::flows
