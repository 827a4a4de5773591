#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "flows/parts.h"

/// Looks whether everything fits together.
namespace tintype::flows {

using ScrubParts = Uses<ConfigPart, DatabasePart, BlobsPart, SpoolPart, AccountsPart, CatalogPart,
                        IntakePart, PeoplePart, AnalysisPart, JobsPart, BacklogPart>;

/// Something that does not fit.
struct Finding {
  std::string kind;  // For example `missing-blob`.
  std::string id;    // The image it is about, if it is about one.
  std::string detail;
};

struct ScrubResult {
  int64_t images = 0;
  int64_t records = 0;  // Of other contexts, and what hangs on images.
  int64_t blobs = 0;
  int64_t in_progress = 0;  // Images that background work is at, which are left out.
  int64_t findings = 0;
};

/// Checks that every record has its blobs, every blob its record, and every copy equals its master,
/// which exists. Changes nothing, and may run while everything is in use: what has changed while it
/// was looked at is not reported. `report` gets each finding; `progress` is told of images and
/// blobs looked at, and answers whether to go on. Errors: those of the tables and blobs;
/// kUnavailable when it was stopped.
Result<ScrubResult> Scrub(const ScrubParts& parts,
                          const std::function<void(const Finding&)>& report,
                          const std::function<bool(const ScrubResult&)>& progress);

}  // namespace tintype::flows
