#include "flows/images/expire_image.h"

#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/transaction.h"
#include "flows/images/delete_image.h"
#include "flows/images/images.h"
#include "flows/images/trash_postings.h"
#include "tables/language/database.h"

namespace tintype::flows {

using contexts::Transaction;
using contexts::backlog::Work;
using contexts::catalog::Catalog;
using contexts::catalog::Image;

std::optional<int64_t> ExpiryOf(const UploadRequest& request, int64_t now_ms) {
  constexpr int64_t kSecondMs = 1000;
  // Up to the next second, for those who asked for one.
  return request.image_lifetime_s
             ? std::optional((now_ms + kSecondMs - 1) / kSecondMs + *request.image_lifetime_s)
             : std::nullopt;
}

std::string ExpireWorkId(std::string_view id) { return StrCat(kExpireWork, "-", id); }

Work ExpireWork(const Image& image) {
  Work work;
  work.id = ExpireWorkId(image.id);
  work.type = kExpireWork;
  work.uuid = image.id;
  work.due_ms = image.ttl.value_or(0) * 1000;
  // It ends in the end: while tables cannot be reached, it waits.
  work.max_retries = 1'000'000;
  return work;
}

Result<Image> KeepAsLong(const ExpiryParts& parts, const Account& account, Image image,
                         const UploadRequest& request) {
  const std::optional<int64_t> wanted = ExpiryOf(request, parts.clock.NowMs());
  if (!image.ttl || (wanted && *wanted <= *image.ttl)) {
    return image;
  }
  return ChangeImage(parts, account, image.id, "keep",
                     [&](const Image& seen, Transaction& keep) -> Status {
                       keep.Add(Catalog::SetExpiry(seen, wanted, TimeText(parts.clock.NowMs())));
                       if (!seen.is_trashed()) {
                         // The deletion may have been queued just now; while nobody is at it, it
                         // is withdrawn. That of an image in the trash stays.
                         keep.Add(parts.backlog.WithdrawUnlessBegun(DeleteWorkId(seen.id)));
                       }
                       Image kept = seen;
                       kept.ttl = wanted;
                       keep.Add(wanted ? parts.backlog.Enqueue(ExpireWork(kept))
                                       : parts.backlog.Withdraw(ExpireWorkId(seen.id)));
                       return OkStatus();
                     });
}

Status ExpireImage(const ExpiryParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(const std::optional<Image> image, parts.catalog.Find(work.uuid));
  const int64_t now_ms = parts.clock.NowMs();
  Transaction expire(StrCat("expire ", work.uuid, " ", work.token));
  if (!image || !image->ttl) {
    // Deleted, or made a lasting one by whoever writes to the table.
    return expire.Add(parts.backlog.Complete(work)).Commit(parts.database, parts.retries);
  }
  if (*image->ttl * 1000 > now_ms) {
    return expire.Add(parts.backlog.Continue(work, *image->ttl * 1000))
        .Commit(parts.database, parts.retries);
  }
  expire.Add(QueueDeletion(parts, *image, DeleteWork(*image, now_ms)))
      .Add(parts.backlog.Complete(work));
  Status queued = expire.Commit(parts.database, parts.retries);
  if (queued.ok() || queued.error().kind() != ErrorKind::kInUse) {
    return queued;
  }
  // Somebody deletes it already.
  return Transaction(StrCat("expired ", work.uuid))
      .Add(parts.backlog.Complete(work))
      .Commit(parts.database, parts.retries);
}

}  // namespace tintype::flows
