#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "base/strings.h"
#include "contexts/analysis/analysis.h"
#include "contexts/catalog/catalog.h"
#include "contexts/catalog/similarity.h"
#include "contexts/intake/intake.h"
#include "contexts/people/people.h"
#include "flows/scrub/record_checks.h"
#include "tables/language/database.h"

/// Records of images that do not exist.
namespace tintype::flows::scrub {
namespace {

/// A function that lists the images that some records are about.
using ListOwners =
    std::function<Result<contexts::OwnersPage>(const std::optional<tables::Item>& after)>;

Status CheckOwners(Run& run, const Place& place, std::string_view what, const ListOwners& list) {
  std::optional<tables::Item> after = KeyAt(place);
  do {
    ASSIGN_OR_RETURN(contexts::OwnersPage page, list(after));
    run.counts().records += static_cast<int64_t>(page.ids.size());
    std::set<std::string> orphans;
    for (const std::string& id : page.ids) {
      if (!orphans.contains(id)) {
        ASSIGN_OR_RETURN(const bool owned, run.HasOwner(id));
        if (!owned) {
          orphans.insert(id);
        }
      }
    }
    if (!orphans.empty()) {
      // One whose image was deleted in between is gone by now.
      ASSIGN_OR_RETURN(page, list(after));
      std::ranges::sort(page.ids);
    }
    for (const std::string& id : orphans) {
      if (std::ranges::binary_search(page.ids, id)) {
        run.Report({Orphan(id, what)});
      }
    }
    after = std::move(page.last_evaluated_key);
    RETURN_IF_ERROR(after ? run.Advance(PlaceOf(after)) : run.GoOn());
  } while (after);
  return OkStatus();
}

}  // namespace

Finding Orphan(const std::string& id, std::string_view what) {
  return {"orphaned-record", id, std::string(what),
          "there is no such image: the item may be deleted"};
}

Status CheckPhotoOwners(Run& run, const Place& place) {
  return CheckOwners(run, place, "photos",
                     [&](const auto& after) { return run.parts.intake.ListPhotoOwners(after); });
}

Status CheckSparksOwners(Run& run, const Place& place) {
  return CheckOwners(run, place, "sparks",
                     [&](const auto& after) { return run.parts.people.ListImageOwners(after); });
}

Status CheckIngestOwners(Run& run, const Place& place) {
  return CheckOwners(run, place, "ingest",
                     [&](const auto& after) { return run.parts.analysis.ListIngestOwners(after); });
}

Status CheckAnalysisOwners(Run& run, const Place& place) {
  return CheckOwners(run, place, "analysis", [&](const auto& after) {
    return run.parts.analysis.ListAnalysisOwners(after);
  });
}

Status CheckVersionOwners(Run& run, const Place& place) {
  return CheckOwners(run, place, "version",
                     [&](const auto& after) { return run.parts.catalog.ListVersionOwners(after); });
}

Status CheckLookOwners(Run& run, const Place& place) {
  return CheckOwners(run, place, "look", [&](const auto& after) {
    return contexts::catalog::SimilarityIndex(run.parts.database).ListOwners(after);
  });
}

}  // namespace tintype::flows::scrub
