#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "blobs/blob_store.h"
#include "contexts/catalog/catalog.h"
#include "contexts/catalog/index_keys.h"
#include "contexts/identity/accounts/account.h"
#include "contexts/intake/intake.h"
#include "contexts/people/image.h"
#include "flows/scrub/run.h"

namespace tintype::flows::scrub {

/// What all contexts have of one image.
struct Subject {
  contexts::catalog::Image image;
  contexts::catalog::IndexKeys index_keys;
  std::vector<contexts::catalog::ImageVersion> versions;
  std::optional<contexts::identity::Account> account;
  std::optional<contexts::intake::Photo> photo;
  std::optional<contexts::people::SparksImage> sparks;
  std::optional<tables::Item> ingest;
  std::optional<tables::Item> analysis;
};

/// Looks at one image, and notes what does not fit.
struct Inspection {
  Run& run;
  const Subject& subject;
  std::vector<Finding> found = {};

  const contexts::catalog::Image& image() const { return subject.image; }
  void Find(std::string_view kind, std::string detail, std::string next);
  /// A copy that is not what its master says.
  void FindDiffering(std::string detail, std::string next) {
    Find("differing-copy", std::move(detail), std::move(next));
  }
  /// What to do about anything that a change of the image writes again.
  std::string ChangeIt() const;
  /// What to do about anything that is made of the original.
  std::string RebuildIt() const;
  std::string RestoreRecord() const;

  bool is_developed() const;
  /// What is known of a file in the images bucket; nothing when there is none, or can be none of
  /// that name, which others may have written.
  Result<std::optional<blobs::BlobInfo>> Head(const std::string& key) const;
};

/// A check of one image. Errors: those of tables and blobs; a misfit is no error.
using ImageCheck = Status (*)(Inspection& at);

// blob_checks.cc
Status CheckOriginal(Inspection& at);
Status CheckRenditions(Inspection& at);
Status CheckVersions(Inspection& at);
// catalog_checks.cc
Status CheckIndexKeys(Inspection& at);
Status CheckTagPostings(Inspection& at);
Status CheckTrashPosting(Inspection& at);
Status CheckLookPostings(Inspection& at);
Status CheckMediaNames(Inspection& at);
// copy_checks.cc
Status CheckAccount(Inspection& at);
Status CheckPhoto(Inspection& at);
Status CheckSparksImage(Inspection& at);
Status CheckSharing(Inspection& at);
Status CheckChecksumPosting(Inspection& at);
// analysis_checks.cc
Status CheckIngest(Inspection& at);
Status CheckAnalysis(Inspection& at);

/// Looks at every image from a place on, with all of these.
Status CheckImages(Run& run, const Place& place);
/// How many images there are, and how many bytes their originals have.
Status CountImages(Run& run, const Place& place);

}  // namespace tintype::flows::scrub
