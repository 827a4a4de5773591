#include "flows/trash.h"

#include <utility>

#include "base/clock.h"
#include "base/time_text.h"
#include "contexts/backlog/backlog.h"
#include "contexts/common/transaction.h"
#include "contexts/people/people.h"
#include "flows/config.h"
#include "flows/delete_image.h"
#include "flows/images.h"

namespace tintype::flows {

using contexts::Transaction;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::people::People;

namespace {

/// Out of every list, and deleted at `due_ms`. A deletion that somebody has begun stays: it must
/// not look as if it could still be taken back.
Status AddTrash(const TrashParts& parts, const Account& account, const Image& seen, int64_t due_ms,
                Transaction& transaction) {
  const std::string now = TimeText(parts.clock.NowMs());
  if (seen.is_trashed()) {
    // Only to be sure that nobody takes it out of the trash meanwhile.
    transaction.Add(Catalog::Change(seen, {}, now));
  } else {
    // Others may have removed the record from Sparks, which must not keep the image from going.
    ASSIGN_OR_RETURN(const auto sparks, parts.people.FindImage(seen.id, account.email));
    transaction.Add(Catalog::Trash(seen, now));
    if (sparks) {
      transaction.Add(People::Trash(seen.id, account.email, sparks->visibility, now));
    }
  }
  transaction.Add(parts.backlog.EnqueueUnlessBegun(DeleteWork(seen, due_ms)));
  return OkStatus();
}

}  // namespace

Result<Image> TrashImage(const TrashParts& parts, const Account& account, std::string_view id) {
  return ChangeImage(
      parts, account, id, "trash", [&](const Image& seen, Transaction& trash) -> Status {
        if (seen.is_trashed()) {
          return OkStatus();
        }
        const auto kept = std::chrono::milliseconds(parts.config.trash_kept);
        return AddTrash(parts, account, seen, parts.clock.NowMs() + kept.count(), trash);
      });
}

Status DeleteImageNow(const TrashParts& parts, const Account& account, std::string_view id) {
  bool was_there = false;
  const auto deleted = ChangeImage(parts, account, id, "delete-now",
                                   [&](const Image& seen, Transaction& trash) -> Status {
                                     was_there = true;
                                     return AddTrash(parts, account, seen, 0, trash);
                                   });
  if (deleted.ok() || !was_there) {
    return deleted.ok() ? OkStatus() : Status(deleted.error());
  }
  // It may be gone by the time that it would be looked at again, or somebody is at it.
  const ErrorKind kind = deleted.error().kind();
  return kind == ErrorKind::kNotFound || kind == ErrorKind::kInUse ? OkStatus()
                                                                   : Status(deleted.error());
}

Result<Image> RestoreImage(const TrashParts& parts, const Account& account, std::string_view id) {
  return ChangeImage(
      parts, account, id, "restore", [&](const Image& seen, Transaction& restore) -> Status {
        if (!seen.is_trashed()) {
          return OkStatus();
        }
        ASSIGN_OR_RETURN(const auto sparks, parts.people.FindImage(id, account.email));
        const std::string now = TimeText(parts.clock.NowMs());
        // The deletion is withdrawn only while nobody is at it: what is being deleted is gone.
        restore.Add(Catalog::Restore(seen, now))
            .Add(parts.backlog.WithdrawUnlessBegun(DeleteWorkId(id)));
        if (sparks) {
          restore.Add(People::SetVisibility(id, account.email, sparks->visibility, now));
        }
        return OkStatus();
      });
}

}  // namespace tintype::flows
