#include "flows/scrub.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "flows/scrub/image_check.h"
#include "flows/scrub/record_checks.h"
#include "flows/scrub/run.h"

namespace tintype::flows {
namespace {

/// What is looked at, one after the other. The name is kept when a scrub is interrupted.
struct ScrubStage {
  std::string_view name;
  Status (*check)(scrub::Run& run, const scrub::Place& place);
};

constexpr ScrubStage kScrubStages[] = {
    {"count", scrub::CountImages},
    {"images", scrub::CheckImages},
    {"photos", scrub::CheckPhotoOwners},
    {"sparks", scrub::CheckSparksOwners},
    {"ingest", scrub::CheckIngestOwners},
    {"analysis", scrub::CheckAnalysisOwners},
    {"versions", scrub::CheckVersionOwners},
    {"tags", scrub::CheckTags},
    {"trash", scrub::CheckTrash},
    {"looks", scrub::CheckLookOwners},
    {"checksums", scrub::CheckChecksums},
    {"uploads", scrub::CheckUploads},
    {"limits", scrub::CheckLimits},
    {"profiles", scrub::CheckProfiles},
    {"images bucket", scrub::CheckImagesBucket},
    {"uploads bucket", scrub::CheckUploadsBucket},
    {"spool", scrub::CheckSpool},
};

}  // namespace

Result<ScrubState> Scrub(const ScrubParts& parts, const ScrubOptions& options, ScrubState from,
                         const ScrubEvents& events) {
  const ScrubStage* stage = std::begin(kScrubStages);
  if (from.stage.empty()) {
    from = ScrubState();
  } else {
    stage = std::ranges::find(kScrubStages, from.stage, &ScrubStage::name);
    if (stage == std::end(kScrubStages)) {
      return Error::Validation(StrCat("The scrub has no stage '", from.stage, "'."));
    }
  }
  scrub::Place place = from.place;
  scrub::Run run(parts, options, std::move(from), events);
  for (; stage != std::end(kScrubStages); ++stage) {
    if (run.state().stage != stage->name) {
      RETURN_IF_ERROR(run.BeginStage(stage->name));
    }
    RETURN_IF_ERROR(stage->check(run, place));
    place.clear();
  }
  return run.state();
}

}  // namespace tintype::flows
