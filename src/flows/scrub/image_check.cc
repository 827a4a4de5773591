#include "flows/scrub/image_check.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/strings.h"
#include "contexts/analysis/analysis.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/people/people.h"
#include "contract/limits.h"
#include "flows/config.h"
#include "tables/language/database.h"

namespace tintype::flows::scrub {
namespace {

using contexts::catalog::Image;
using contexts::catalog::ProcessingStatus;

/// In the order in which findings are shown.
constexpr ImageCheck kImageChecks[] = {
    CheckOriginal,     CheckRenditions,   CheckVersions,   CheckIndexKeys, CheckTagPostings,
    CheckTrashPosting, CheckLookPostings, CheckMediaNames, CheckAccount,   CheckPhoto,
    CheckSparksImage,  CheckSharing,      CheckIngest,     CheckAnalysis,  CheckChecksumPosting,
};

/// The image as it can be looked for: texts that others wrote may be longer than keys can be.
Image WithinKeys(Image image) {
  constexpr size_t kSha256Digits = 64;
  if (image.user_id.size() > limits::kId.max) {
    image.user_id.clear();
  }
  image.sha256.resize(std::min(image.sha256.size(), kSha256Digits));
  return image;
}

Result<Subject> ReadSubject(const ScrubParts& parts, const Image& image) {
  Subject subject;
  subject.image = image;
  ASSIGN_OR_RETURN(const auto keys, contexts::catalog::FindIndexKeys(parts.database, image.id));
  subject.index_keys = keys.value_or(contexts::catalog::IndexKeys());
  ASSIGN_OR_RETURN(subject.versions, parts.catalog.ListVersions(image.id));
  ASSIGN_OR_RETURN(subject.account, parts.accounts.Find(image.user_id));
  if (subject.account) {
    ASSIGN_OR_RETURN(subject.photo, parts.intake.Find(subject.account->username, image.id));
    ASSIGN_OR_RETURN(subject.sparks, parts.people.FindImage(image.id, subject.account->email));
  }
  ASSIGN_OR_RETURN(subject.ingest, parts.analysis.FindIngest(image.id));
  ASSIGN_OR_RETURN(subject.analysis, parts.analysis.FindAnalysis(image.id));
  return subject;
}

Result<std::vector<Finding>> FindingsOf(Run& run, const Image& image) {
  ASSIGN_OR_RETURN(const Subject subject, ReadSubject(run.parts, WithinKeys(image)));
  Inspection at{run, subject};
  for (const ImageCheck check : kImageChecks) {
    RETURN_IF_ERROR(check(at));
  }
  return std::move(at.found);
}

/// Those that are in both.
std::vector<Finding> Confirmed(const std::vector<Finding>& first,
                               const std::vector<Finding>& second) {
  std::vector<Finding> both;
  std::ranges::copy_if(second, std::back_inserter(both), [&](const Finding& finding) {
    return std::ranges::find(first, finding) != first.end();
  });
  return both;
}

/// Looks at one image; a misfit has to be there twice, with nobody at work on it. Nothing is known
/// of one that does not come to rest.
Status CheckImage(Run& run, const Image& listed) {
  // Each attempt loses only to a change that somebody made.
  constexpr int kAttemptsMax = 5;
  if (!CanBeImageId(listed.id)) {
    run.Report({{"unknown-record", listed.id, "ImageMetadata",
                 "no id of an image: look at the item, and delete it"}});
    return OkStatus();
  }
  Image image = listed;
  std::vector<Finding> before;
  const int64_t passed = run.counts().bytes_passed;
  for (int attempt = 1; attempt <= kAttemptsMax; ++attempt) {
    ASSIGN_OR_RETURN(const bool begun, run.IsInProgress(image.id));
    if (begun) {
      break;
    }
    run.counts().bytes_passed = passed;
    ASSIGN_OR_RETURN(std::vector<Finding> found, FindingsOf(run, image));
    if (found.empty()) {
      return OkStatus();
    }
    ASSIGN_OR_RETURN(const bool in_progress, run.IsInProgress(image.id));
    ASSIGN_OR_RETURN(const auto now, run.parts.catalog.Find(image.id));
    if (!now) {
      return OkStatus();  // Deleted meanwhile.
    }
    if (in_progress) {
      break;
    }
    const bool unchanged = now->version == image.version && now->updated_at == image.updated_at;
    if (unchanged && attempt > 1) {
      run.Report(Confirmed(before, found));
      return OkStatus();
    }
    image = *now;
    before = std::move(found);
  }
  ++run.counts().in_progress;
  return OkStatus();
}

}  // namespace

void Inspection::Find(std::string_view kind, std::string detail, std::string next) {
  found.push_back({std::string(kind), image().id, std::move(detail), std::move(next)});
}

std::string Inspection::ChangeIt() const {
  return "change the image's tags and description, which writes the copies again";
}
std::string Inspection::RebuildIt() const {
  return StrCat("tintype rebuild renditions --image ", image().id);
}
std::string Inspection::RestoreRecord() const {
  return "bring the item back from a backup of the table, or delete the image";
}

bool Inspection::is_developed() const {
  return image().processing_status == ProcessingStatus::kCompleted;
}

Result<std::optional<blobs::BlobInfo>> Inspection::Head(const std::string& key) const {
  const blobs::BlobKey blob{run.parts.config.images_bucket, key};
  return blobs::ValidateBlobKey(blob).ok() ? run.parts.blobs.Head(blob)
                                           : Result<std::optional<blobs::BlobInfo>>(std::nullopt);
}

Status CheckImages(Run& run, const Place& place) {
  std::optional<tables::Item> after = KeyAt(place);
  do {
    ASSIGN_OR_RETURN(auto page, run.parts.catalog.ListAll(after));
    for (const Image& image : page.images) {
      const int64_t passed = run.counts().bytes_passed;
      RETURN_IF_ERROR(CheckImage(run, image));
      ++run.counts().images;
      run.counts().bytes_passed = passed + std::max<int64_t>(image.file_size, 0);
      RETURN_IF_ERROR(run.Advance(PlaceOf(contexts::catalog::ImageKey(image.id))));
    }
    after = std::move(page.last_evaluated_key);
  } while (after);
  return OkStatus();
}

Status CountImages(Run& run, const Place& /*place*/) {
  ScrubCounts& counts = run.counts();
  counts.images_total = 0;
  counts.bytes_total = 0;
  std::optional<tables::Item> after;
  do {
    ASSIGN_OR_RETURN(auto page, run.parts.catalog.ListAll(after));
    for (const Image& image : page.images) {
      ++counts.images_total;
      counts.bytes_total += std::max<int64_t>(image.file_size, 0);
    }
    RETURN_IF_ERROR(run.GoOn());
    after = std::move(page.last_evaluated_key);
  } while (after);
  return OkStatus();
}

}  // namespace tintype::flows::scrub
