#include "flows/upkeep/reconcile_image.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/intake/intake.h"
#include "contexts/people/copies.h"
#include "contexts/people/people.h"
#include "flows/images/delete_image.h"
#include "flows/images/trash_postings.h"
#include "flows/images/work_tags.h"
#include "flows/upkeep/reconcile.h"
#include "flows/upkeep/reconcile_input.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Pieces;
using contexts::Transaction;
using contexts::backlog::Work;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::intake::Intake;

bool Says(const Work& work, std::string_view flag) {
  return work.input.contains(std::string(flag));
}

/// What there is to bring in line.
struct Differences {
  /// Postings of tags that the image once had, which may be many, and of the trash.
  Pieces left_over;
  Pieces corrections;
  /// A record of the image was removed, and is not back: the image is to go too.
  std::optional<Work> deletion;

  bool empty() const { return left_over.empty() && corrections.empty() && !deletion; }
};

Status AddPostings(const ReconcileParts& parts, const Work& work, const Image& image,
                   Differences& found) {
  const std::vector<std::string> tags = contexts::catalog::PostedTags(image.tags);
  for (const std::string& tag : WorkTags(work)) {
    if (std::ranges::find(tags, tag) == tags.end()) {
      ASSIGN_OR_RETURN(const bool posted, parts.catalog.HasPosting(image, tag));
      if (posted) {
        found.left_over.push_back(Catalog::RemovePosting(image, tag));
      }
    }
  }
  for (const std::string& tag : tags) {
    ASSIGN_OR_RETURN(const bool posted, parts.catalog.HasPosting(image, tag));
    if (!posted) {
      found.corrections.push_back(Catalog::AddPosting(image, tag));
    }
  }
  return OkStatus();
}

Status AddTrashPosting(const ReconcileParts& parts, const Work& work, const Image& image,
                       Differences& found) {
  Image before = image;
  if (const auto at = work.input.find(std::string(kTrashedAt)); at != work.input.end()) {
    before.trashed_at = at->second;
  }
  if (before.trashed_at != image.trashed_at) {
    ASSIGN_OR_RETURN(const auto posting, parts.catalog.FindTrashPosting(before));
    if (posting) {
      std::ranges::move(Catalog::UnpostTrash(before), std::back_inserter(found.left_over));
    }
  }
  if (before.is_trashed() && !image.is_trashed()) {
    // The one who took it out of the trash does not want it deleted when its time there has passed.
    ASSIGN_OR_RETURN(const auto deletion, parts.backlog.Find(DeleteWorkId(image.id)));
    if (deletion && deletion->due_ms > parts.clock.NowMs()) {
      found.corrections.push_back(parts.backlog.WithdrawUnlessBegun(deletion->id));
    }
  }
  ASSIGN_OR_RETURN(Pieces missing, FindMissingTrashPosting(parts, image));
  std::ranges::move(missing, std::back_inserter(found.corrections));
  return OkStatus();
}

Status AddSparksCopies(const ReconcileParts& parts, const Image& image, const std::string& email,
                       const contexts::people::SparksImage& sparks, Differences& found) {
  ASSIGN_OR_RETURN(const std::vector<std::string> tagged, parts.people.ListTaggings(image.id));
  // Those of the taggings come in the order of their keys.
  std::vector<std::string> persons = sparks.persons;
  std::ranges::sort(persons);
  if (sparks.tags != image.tags || persons != tagged) {
    found.corrections.push_back(contexts::people::SetTagsAndPersons(
        image.id, email, image.tags, tagged, TimeText(parts.clock.NowMs())));
  }
  return OkStatus();
}

Result<Differences> FindDifferences(const ReconcileParts& parts, const Work& work,
                                    const std::optional<Image>& image) {
  Differences found;
  if (!image) {
    // Deleted meanwhile, by those who knew of its last tags alone.
    Image gone;
    gone.id = work.uuid;
    const auto user_id = work.input.find("userId");
    gone.user_id = user_id == work.input.end() ? "" : user_id->second;
    RETURN_IF_ERROR(AddPostings(parts, work, gone, found));
    RETURN_IF_ERROR(AddTrashPosting(parts, work, gone, found));
    return found;
  }
  RETURN_IF_ERROR(AddPostings(parts, work, *image, found));
  RETURN_IF_ERROR(AddTrashPosting(parts, work, *image, found));
  ASSIGN_OR_RETURN(const auto account, parts.accounts.Find(image->user_id));
  if (!account) {
    return found;
  }
  ASSIGN_OR_RETURN(const auto photo, parts.intake.Find(account->username, image->id));
  ASSIGN_OR_RETURN(const auto sparks, parts.people.FindImage(image->id, account->email));
  const bool photo_gone = !photo && Says(work, kPhotoRemoved);
  const bool sparks_gone = !sparks && Says(work, kSparksImageRemoved);
  if (photo_gone || sparks_gone) {
    found.deletion = DeleteWork(*image, parts.clock.NowMs());
    if (sparks_gone) {
      found.deletion->input.emplace(kLimitGivenBack, "yes");
    }
    // Things that go with the image need not be put right before.
    found.corrections.clear();
    return found;
  }
  const std::string description = image->description.value_or("");
  if (photo && photo->description != description) {
    found.corrections.push_back(Intake::SetDescription(account->username, image->id, description));
  }
  if (sparks) {
    RETURN_IF_ERROR(AddSparksCopies(parts, *image, account->email, *sparks, found));
  }
  return found;
}

}  // namespace

Result<bool> IsImageToReconcile(const ReconcileParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(const std::optional<Image> image, parts.catalog.Find(work.uuid));
  ASSIGN_OR_RETURN(const Differences found, FindDifferences(parts, work, image));
  return !found.empty();
}

Status ReconcileImage(const ReconcileParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(const std::optional<Image> image, parts.catalog.Find(work.uuid));
  ASSIGN_OR_RETURN(Differences found, FindDifferences(parts, work, image));
  RETURN_IF_ERROR(CommitFenced(parts, work, "remove-postings", std::move(found.left_over)));
  Transaction reconcile(StrCat("reconcile ", work.uuid, " ", work.token));
  reconcile.Add(parts.backlog.Complete(work));
  if (image) {
    // Our own changes move copies and postings themselves: one in between counts, not what was
    // read.
    reconcile.Add(Catalog::CheckUnchanged(*image)).Add(std::move(found.corrections));
  }
  if (found.deletion) {
    reconcile.Add(QueueDeletion(parts, *image, *found.deletion));
  }
  Status done = reconcile.Commit(parts.database, parts.retries);
  if (found.deletion && !done.ok() && done.error().kind() == ErrorKind::kInUse) {
    // Somebody deletes it already.
    return Transaction(StrCat("reconciled ", work.uuid, " ", work.token))
        .Add(parts.backlog.Complete(work))
        .Commit(parts.database, parts.retries);
  }
  return done;
}

}  // namespace tintype::flows
