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

/// What was made of a medium beside pictures.
enum class MadeFile { kWaveform, kText, kCaptions };

/// Such a file, whoever asks. Errors: kNotFound when there is none; kCorruption for one that is
/// larger than any that is made.
Result<std::string> ReadMadeFile(const Uses<ConfigPart, BlobsPart>& parts, std::string_view id,
                                 MadeFile which);

/// The same of a page of a document, from 1.
Result<std::string> ReadDocumentPage(const Uses<ConfigPart, BlobsPart>& parts, std::string_view id,
                                     int64_t page);

}  // namespace tintype::flows
