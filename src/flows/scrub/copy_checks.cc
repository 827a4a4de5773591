#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "contexts/people/people.h"
#include "flows/images/stored_sizes.h"
#include "flows/media_keys.h"
#include "flows/scrub/image_check.h"

/// The records of an image in photos and sparks, and its checksum.
namespace tintype::flows::scrub {
namespace {

using contexts::people::SparksImage;

bool Lists(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

/// A size listed beside those that every photo has must be stored, with the original or with the
/// current edit.
Result<bool> IsStoredSize(Inspection& at, const std::string& size) {
  if (size.empty() || size.find('/') != std::string::npos) {
    return false;
  }
  std::vector<std::string> folders = {StoredFolder(at.image().id)};
  if (at.image().picture() > 0) {
    folders.push_back(StoredRevisionFolder(at.image().id, at.image().picture()));
  }
  for (const std::string& folder : folders) {
    ASSIGN_OR_RETURN(const auto info, at.Head(StrCat(folder, size)));
    if (info) {
      return true;
    }
  }
  return false;
}

Status CheckSizes(Inspection& at, const std::vector<std::string>& sizes) {
  const std::vector<Size> stored_sizes = StoredSizes(at.image());
  for (const Size size : stored_sizes) {
    // Of one that could not be developed nothing but the original is sure to be listed. The resizer
    // knows nothing of copies for playing.
    const bool expected = at.is_developed() && size != Size::kProxy;
    if (expected && !Lists(sizes, NameOf(size))) {
      at.FindDiffering(StrCat("photos.sizes (without ", NameOf(size), ")"), at.RebuildIt());
    }
  }
  for (const std::string& size : sizes) {
    const bool known =
        std::ranges::any_of(stored_sizes, [&](const Size each) { return NameOf(each) == size; });
    if (known && at.is_developed()) {
      continue;  // Whether it is stored was looked at with the files.
    }
    ASSIGN_OR_RETURN(const bool stored, IsStoredSize(at, size));
    if (!stored) {
      at.FindDiffering(StrCat("photos.sizes (", size, " is not stored)"), at.RebuildIt());
    }
  }
  return OkStatus();
}

void CompareVariants(Inspection& at, const SparksImage& sparks) {
  const std::string& id = at.image().id;
  if (!sparks.variants) {
    if (at.is_developed() && at.image().has_picture()) {
      at.FindDiffering("sparks.images (missing)", at.RebuildIt());
    }
    return;
  }
  if (sparks.variants->large != SparksLargeKey(id) ||
      sparks.variants->medium != SparksMediumKey(id)) {
    at.FindDiffering(
        StrCat("sparks.images (", sparks.variants->large, ", ", sparks.variants->medium, ")"),
        at.RebuildIt());
  }
}

}  // namespace

Status CheckAccount(Inspection& at) {
  if (!at.subject.account) {
    at.Find("missing-account", StrCat("there is no account ", at.image().user_id),
            "bring the account's items in the table tintype back from a backup");
  }
  return OkStatus();
}

Status CheckPhoto(Inspection& at) {
  if (!at.subject.account) {
    return OkStatus();  // Its records are found by the account's names.
  }
  if (!at.subject.photo) {
    at.Find("missing-record", "not in photos", at.RestoreRecord());
    return OkStatus();
  }
  if (at.subject.photo->description != at.image().description.value_or("")) {
    at.FindDiffering("photos.description", at.ChangeIt());
  }
  return CheckSizes(at, at.subject.photo->sizes);
}

Status CheckSparksImage(Inspection& at) {
  if (!at.subject.account) {
    return OkStatus();
  }
  if (!at.subject.sparks) {
    at.Find("missing-record", "not in sparks", at.RestoreRecord());
    return OkStatus();
  }
  const SparksImage& sparks = *at.subject.sparks;
  if (sparks.tags != at.image().tags) {
    at.FindDiffering("sparks.tags", at.ChangeIt());
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> tagged,
                   at.run.parts.people.ListTaggings(at.image().id));
  std::vector<std::string> persons = sparks.persons;
  std::ranges::sort(persons);
  if (persons != tagged) {
    at.FindDiffering("sparks.persons", at.ChangeIt());
  }
  if (sparks.s3_key != SparksOriginalKey(at.image().id)) {
    at.FindDiffering(StrCat("sparks.s3Key (", sparks.s3_key, ", should be ",
                            SparksOriginalKey(at.image().id), ")"),
                     "set the attribute to what it should be");
  }
  CompareVariants(at, sparks);
  return OkStatus();
}

Status CheckSharing(Inspection& at) {
  if (!at.subject.sparks) {
    return OkStatus();
  }
  const SparksImage& sparks = *at.subject.sparks;
  if (sparks.trashed != at.image().is_trashed()) {
    at.FindDiffering("sparks.entityType", at.image().is_trashed()
                                              ? "restore the image and move it to the trash again"
                                              : "move the image to the trash and restore it");
  } else if (!sparks.trashed && sparks.stated_visibility &&
             *sparks.stated_visibility != contexts::people::NameOf(sparks.visibility)) {
    at.FindDiffering(
        StrCat("sparks.visibility (", *sparks.stated_visibility, ", but its entityType says ",
               contexts::people::NameOf(sparks.visibility), ")"),
        "share or unshare the image, which writes both");
  }
  return OkStatus();
}

Status CheckChecksumPosting(Inspection& at) {
  if (at.image().sha256.empty()) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const auto posted,
                   at.run.parts.intake.FindByChecksum(at.image().user_id, at.image().sha256));
  if (posted != at.image().id) {
    at.Find("missing-posting", "its checksum is not posted",
            StrCat("bring the item back: PK CHECKSUM#", at.image().user_id, ", SK ",
                   at.image().sha256, ", id ", at.image().id, " in the table tintype"));
  }
  return OkStatus();
}

}  // namespace tintype::flows::scrub
