#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/analysis/kind_specs.h"
#include "contexts/backlog/work.h"
#include "flows/parts.h"

/// Has media that are there already analysed: when a model has come, when one has changed, when
/// something failed. One piece of work goes over the images, marks the kinds that are to be done in
/// their records, and queues them, a few images at a time; where it got to is in its input, so that
/// it goes on after a crash as all work does.
namespace tintype::flows {

using ReanalyseParts =
    Uses<ConfigPart, DatabasePart, ClockPart, CatalogPart, AnalysisPart, BacklogPart>;

/// The work, and its id: there is one at a time.
inline constexpr std::string_view kReanalyseWork = "rebuild-analysis";

struct ReanalyseRequest {
  /// By the names that NameOf has for them; empty: every kind.
  std::vector<std::string> kinds = {};
  /// Also what was done already. Otherwise only what was skipped, failed, or did not exist yet.
  bool again = false;
  /// Of one image alone; empty: of all.
  std::string image_id = {};

  bool operator==(const ReanalyseRequest&) const = default;
};

struct ReanalyseProgress {
  int64_t seen = 0;    // Images looked at so far.
  int64_t queued = 0;  // Of those, with something to be done.
  bool ended = false;
};

/// Begins, or finds that the same has begun and goes on. Errors: kValidation for a kind that there
/// is none of, or that belongs to developing; kNotFound for an image that does not exist; kInUse
/// while another request is being carried out.
Status StartReanalysis(const ReanalyseParts& parts, const ReanalyseRequest& request);

/// How far it is. One that has ended is there for some seconds more, for whoever waits for it:
/// nothing when none is going on, and when one was given up.
Result<std::optional<ReanalyseProgress>> FindReanalysis(const ReanalyseParts& parts);

/// One turn of it. `work` is leased.
Status ContinueReanalysis(const ReanalyseParts& parts,
                          const contexts::analysis::WhyUnavailable& unavailable,
                          const contexts::backlog::Work& work);

}  // namespace tintype::flows
