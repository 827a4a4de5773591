#include "flows/images/trash.h"

#include <chrono>
#include <utility>

#include "base/clock.h"
#include "base/time_text.h"
#include "contexts/backlog/backlog.h"
#include "contexts/common/transaction.h"
#include "contexts/people/people.h"
#include "flows/images/delete_image.h"
#include "flows/images/images.h"
#include "flows/images/trash_postings.h"

namespace tintype::flows {

using contexts::Transaction;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::people::People;

namespace {

/// How long after it was put into the trash an image is deleted, and before or after what else.
struct Deletion {
  std::chrono::milliseconds after{0};
  contexts::backlog::Priority priority = contexts::backlog::Priority::kNormal;
};

/// Out of every list, and deleted. A deletion that somebody has begun stays: it must not look as if
/// it could still be taken back.
Status AddTrash(const TrashParts& parts, const Account& account, const Image& seen,
                const Deletion& deletion, Transaction& transaction) {
  Image trashed = seen;
  // One moment for both: people are told when it was trashed and when it goes.
  const int64_t now_ms = parts.clock.NowMs();
  const std::string now = TimeText(now_ms);
  if (seen.is_trashed()) {
    // Only to be sure that nobody takes it out of the trash meanwhile.
    transaction.Add(Catalog::Change(seen, {}, now));
  } else {
    // Others may have removed the record from Sparks, which must not keep the image from going.
    ASSIGN_OR_RETURN(const auto sparks, parts.people.FindImage(seen.id, account.email));
    transaction.Add(Catalog::Trash(seen, now));
    trashed.trashed_at = now;
    if (sparks) {
      transaction.Add(People::Trash(seen.id, account.email, sparks->visibility, now));
    }
  }
  contexts::backlog::Work work = DeleteWork(trashed, now_ms + deletion.after.count());
  work.priority = deletion.priority;
  transaction.Add(QueueDeletion(parts, trashed, std::move(work)));
  return OkStatus();
}

/// What a deletion that was asked for came to: that the image is gone by now, or that somebody is
/// at it, is fine.
Status DeletionOutcome(const Result<Image>& deleted) {
  if (deleted.ok()) {
    return OkStatus();
  }
  const ErrorKind kind = deleted.error().kind();
  return kind == ErrorKind::kNotFound || kind == ErrorKind::kInUse ? OkStatus()
                                                                   : Status(deleted.error());
}

}  // namespace

Result<Image> TrashImage(const TrashParts& parts, const Account& account, std::string_view id) {
  return ChangeImage(parts, account, id, "trash",
                     [&](const Image& seen, Transaction& trash) -> Status {
                       if (seen.is_trashed()) {
                         return OkStatus();
                       }
                       return AddTrash(parts, account, seen, {parts.config.trash_kept}, trash);
                     });
}

Status DeleteImageNow(const TrashParts& parts, const Account& account, std::string_view id) {
  bool was_there = false;
  const auto deleted = ChangeImage(parts, account, id, "delete-now",
                                   [&](const Image& seen, Transaction& trash) -> Status {
                                     was_there = true;
                                     return AddTrash(parts, account, seen, {}, trash);
                                   });
  if (!deleted.ok() && !was_there) {
    return deleted.error();
  }
  return DeletionOutcome(deleted);
}

Status DeleteTrashedImage(const TrashParts& parts, const Account& account, std::string_view id,
                          std::string_view until) {
  return DeletionOutcome(ChangeImage(
      parts, account, id, "delete-trashed", [&](const Image& seen, Transaction& trash) -> Status {
        if (!seen.is_trashed() || *seen.trashed_at > until) {
          return OkStatus();
        }
        return AddTrash(parts, account, seen, {.priority = contexts::backlog::Priority::kLow},
                        trash);
      }));
}

Result<Image> RestoreImage(const TrashParts& parts, const Account& account, std::string_view id,
                           const contexts::Pieces& also) {
  return ChangeImage(
      parts, account, id, "restore", [&](const Image& seen, Transaction& restore) -> Status {
        if (!seen.is_trashed()) {
          return OkStatus();
        }
        ASSIGN_OR_RETURN(const auto sparks, parts.people.FindImage(id, account.email));
        const std::string now = TimeText(parts.clock.NowMs());
        // The deletion is withdrawn only while nobody is at it: an image that is being deleted is
        // gone.
        restore.Add(Catalog::Restore(seen, now))
            .Add(parts.backlog.WithdrawUnlessBegun(DeleteWorkId(id)))
            .Add(Catalog::UnpostTrash(seen))
            .Add(also);
        if (sparks) {
          restore.Add(People::SetVisibility(id, account.email, sparks->visibility, now));
        }
        return OkStatus();
      });
}

}  // namespace tintype::flows
