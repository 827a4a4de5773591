#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "contexts/catalog/catalog.h"
#include "contexts/intake/intake.h"
#include "flows/scrub/record_checks.h"

/// Postings whose image does not exist, or is not what the posting says. That an image has those
/// that it should have is looked at with the image.
namespace tintype::flows::scrub {
namespace {

using contexts::catalog::Image;
using contexts::catalog::TagPosting;
using contexts::catalog::TrashPosting;
using contexts::intake::ChecksumPosting;

/// Looks at one posting: `fits` compares it with its image, `is_there` whether it is still there.
struct Posting {
  std::string image_id;
  std::string_view orphaned_as;
  Finding stale;
  std::function<bool(const Image&)> fits;
  std::function<Result<bool>()> is_there;
};

Status CheckPosting(Run& run, const Posting& posting) {
  ++run.counts().records;
  if (!CanBeImageId(posting.image_id)) {
    run.Report({Orphan(posting.image_id, posting.orphaned_as)});
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const auto image, run.parts.catalog.Find(posting.image_id));
  if (image && posting.fits(*image)) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const bool in_progress, run.IsInProgress(posting.image_id));
  // Postings go with the change that they follow from: one that is not there any more, or fits now,
  // was about to.
  ASSIGN_OR_RETURN(const bool is_there, posting.is_there());
  ASSIGN_OR_RETURN(const auto now, run.parts.catalog.Find(posting.image_id));
  if (in_progress || !is_there || (now && posting.fits(*now))) {
    return OkStatus();
  }
  run.Report({now ? posting.stale : Orphan(posting.image_id, posting.orphaned_as)});
  return OkStatus();
}

/// Looks at postings page by page. `list` reads the page behind a key; `posting_of` says what one
/// stands for, and is used while that one is there.
Status CheckPostings(Run& run, const Place& place, const auto& list, const auto& posting_of) {
  std::optional<tables::Item> after = KeyAt(place);
  do {
    ASSIGN_OR_RETURN(auto page, list(after));
    for (const auto& each : page.postings) {
      RETURN_IF_ERROR(CheckPosting(run, posting_of(each)));
    }
    after = std::move(page.last_evaluated_key);
    RETURN_IF_ERROR(after ? run.Advance(PlaceOf(after)) : run.GoOn());
  } while (after);
  return OkStatus();
}

}  // namespace

Status CheckTags(Run& run, const Place& place) {
  const auto list = [&run](const auto& after) { return run.parts.catalog.ListPostings(after); };
  return CheckPostings(run, place, list, [&run](const TagPosting& each) {
    Posting posting;
    posting.image_id = each.image_id;
    posting.orphaned_as = "posting";
    posting.stale = {"stale-posting", each.image_id,
                     StrCat("the tag ", each.tag, " of the user ", each.user_id),
                     StrCat("the image does not have it: delete the item with PK TAG#",
                            each.user_id, "#", each.tag, " from the table tintype")};
    posting.fits = [&each](const Image& image) {
      // Both together: ids of users that others wrote may have such a sign in them, too.
      const std::string posted = StrCat(each.user_id, "#", each.tag);
      return std::ranges::any_of(
          contexts::catalog::PostedTags(image.tags),
          [&](const std::string& tag) { return StrCat(image.user_id, "#", tag) == posted; });
    };
    posting.is_there = [&run, &each] {
      Image image;
      image.id = each.image_id;
      image.user_id = each.user_id;
      return run.parts.catalog.HasPosting(image, each.tag);
    };
    return posting;
  });
}

Status CheckTrash(Run& run, const Place& place) {
  const auto list = [&run](const auto& after) { return run.parts.catalog.ListAllTrash(after); };
  return CheckPostings(run, place, list, [&run](const TrashPosting& each) {
    Posting posting;
    posting.image_id = each.image_id;
    posting.orphaned_as = "trash";
    posting.stale = {
        "stale-posting", each.image_id,
        StrCat("in the trash of the user ", each.user_id, " since ", each.trashed_at),
        StrCat("the image is not: delete the item with PK TRASH#", each.user_id, " and SK ",
               each.trashed_at, "#", each.image_id, " from the table tintype")};
    posting.fits = [&each](const Image& image) {
      return image.user_id == each.user_id && image.trashed_at == each.trashed_at;
    };
    posting.is_there = [&run, &each]() -> Result<bool> {
      Image image;
      image.id = each.image_id;
      image.user_id = each.user_id;
      image.trashed_at = each.trashed_at;
      ASSIGN_OR_RETURN(const auto found, run.parts.catalog.FindTrashPosting(image));
      return found.has_value();
    };
    return posting;
  });
}

Status CheckChecksums(Run& run, const Place& place) {
  const auto list = [&run](const auto& after) { return run.parts.intake.ListChecksums(after); };
  return CheckPostings(run, place, list, [&run](const ChecksumPosting& each) {
    Posting posting;
    posting.image_id = each.image_id;
    posting.orphaned_as = "checksum";
    posting.stale = {"stale-posting", each.image_id,
                     StrCat("the checksum ", each.sha256, " of the user ", each.user_id),
                     StrCat("the image has other bytes: delete the item with PK CHECKSUM#",
                            each.user_id, " from the table tintype")};
    posting.fits = [&each](const Image& image) {
      return image.user_id == each.user_id && image.sha256 == each.sha256;
    };
    posting.is_there = [&run, &each]() -> Result<bool> {
      ASSIGN_OR_RETURN(const auto id, run.parts.intake.FindByChecksum(each.user_id, each.sha256));
      return id == each.image_id;
    };
    return posting;
  });
}

}  // namespace tintype::flows::scrub
