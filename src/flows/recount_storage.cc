#include "flows/recount_storage.h"

#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/logging.h"
#include "base/numbers.h"
#include "base/random.h"
#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/item.h"
#include "contexts/common/transaction.h"
#include "contexts/intake/quotas.h"
#include "flows/config.h"
#include "flows/media_keys.h"
#include "flows/storage_quota.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::backlog::Priority;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::catalog::ImageVersion;

/// How many items of the catalog one turn looks at: few enough to be done well within a lease, also
/// where each look at a blob is a request.
constexpr int64_t kCountedPerTurn = 100;

// What the work knows: the key behind which it goes on, and how many images it has looked at.
constexpr const char* kPartitionInput = "PK";
constexpr const char* kSortInput = "SK";
constexpr const char* kSeenInput = "seen";

std::string InputText(const Work& work, const char* name) {
  const auto found = work.input.find(name);
  return found == work.input.end() ? "" : found->second;
}

int64_t SeenOf(const Work& work) {
  return ParseInteger<int64_t>(InputText(work, kSeenInput)).value_or(0);
}

Work RecountWork() {
  Work work;
  work.id = kRecountWork;
  work.type = kRecountWork;
  work.priority = Priority::kLow;
  // A turn may look at a hundred images: it never takes the last worker from somebody's upload.
  work.cost_ms = contexts::backlog::kExpensive.count() + 1;
  // It ends in the end: while tables or blobs cannot be reached, it waits.
  work.max_retries = 1'000'000;
  return work;
}

/// What is kept of the renditions of one revision.
Result<int64_t> RenditionBytes(const RecountParts& parts, const std::string& image_id,
                               int64_t revision) {
  int64_t bytes = 0;
  for (const SizeSpec& spec : kSizes) {
    if (spec.size != Size::kOriginal) {
      ASSIGN_OR_RETURN(
          const auto info,
          parts.blobs.Head({parts.config.images_bucket, StoredKey(image_id, revision, spec.size)}));
      bytes += info ? static_cast<int64_t>(info->bytes) : 0;
    }
  }
  return bytes;
}

/// What is kept of an image. The records say how large originals and edits are in full size.
Result<int64_t> StoredBytes(const RecountParts& parts, const Image& image) {
  ASSIGN_OR_RETURN(int64_t bytes, RenditionBytes(parts, image.id, 0));
  bytes += image.file_size;
  ASSIGN_OR_RETURN(const std::vector<ImageVersion> versions, parts.catalog.ListVersions(image.id));
  for (const ImageVersion& version : versions) {
    // A revert shows the pictures of another.
    if (version.completed && !version.reverted_to) {
      ASSIGN_OR_RETURN(const int64_t renditions, RenditionBytes(parts, image.id, version.revision));
      bytes += version.file_size + renditions;
    }
  }
  return bytes;
}

/// Charges an image with what is kept of it. Whoever edits or deletes it meanwhile is noticed by
/// the charge that was seen before anything was counted.
Status RecountImage(const RecountParts& parts, const std::string& id) {
  constexpr int kAttemptsMax = 20;
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(const std::optional<Image> image, parts.catalog.Find(id));
    if (!image || image->user_id.empty()) {
      return OkStatus();
    }
    contexts::intake::Quotas quotas(parts.database);
    ASSIGN_OR_RETURN(const auto seen, quotas.FindCharge(image->user_id, id));
    ASSIGN_OR_RETURN(const int64_t bytes, StoredBytes(parts, *image));
    contexts::Pieces charge = contexts::intake::Quotas::Charge(image->user_id, id, seen, bytes);
    if (charge.empty()) {
      return OkStatus();
    }
    Status charged = Transaction(StrCat("recount ", id, " ", RandomUuid()))
                         .Add(Catalog::CheckPresent(id))
                         .Add(std::move(charge))
                         .Commit(parts.database, parts.retries);
    if (charged.ok() || charged.error().kind() == ErrorKind::kNotFound) {
      return OkStatus();
    }
    if (!charged.error().Is(contexts::intake::kChargeIsAnother) || attempt == kAttemptsMax) {
      return charged;
    }
  }
}

}  // namespace

Status StartRecount(const RecountParts& parts) {
  ASSIGN_OR_RETURN(const std::optional<Work> going_on, parts.backlog.Find(kRecountWork));
  if (going_on && going_on->status != WorkStatus::kDead) {
    return OkStatus();
  }
  return Transaction(StrCat("start-recount ", RandomUuid()))
      .Add(parts.backlog.Enqueue(RecountWork()))
      .Commit(parts.database, parts.retries);
}

Result<std::optional<RecountProgress>> FindRecount(const RecountParts& parts) {
  ASSIGN_OR_RETURN(const std::optional<Work> work, parts.backlog.Find(kRecountWork));
  if (!work || work->status == WorkStatus::kDead) {
    return std::optional<RecountProgress>();
  }
  return std::optional(RecountProgress{SeenOf(*work)});
}

Status ContinueRecount(const RecountParts& parts, const Work& work) {
  std::optional<tables::Item> after;
  if (const std::string partition = InputText(work, kPartitionInput); !partition.empty()) {
    after = contexts::ItemBuilder()
                .Text("PK", partition)
                .Text("SK", InputText(work, kSortInput))
                .Build();
  }
  ASSIGN_OR_RETURN(const auto page, parts.catalog.ListAll(after, kCountedPerTurn));
  for (const Image& image : page.images) {
    Status counted = RecountImage(parts, image.id);
    // Others may have written what can be no image's: it keeps nobody else from being counted.
    if (!counted.ok() && counted.error().kind() == ErrorKind::kValidation) {
      LogWarning("an image cannot be counted",
                 {{"image", image.id}, {"error", counted.error().message()}});
    } else if (!counted.ok()) {
      return counted;
    }
  }
  Transaction turn(StrCat(kRecountWork, " ", work.token));
  if (!page.last_evaluated_key) {
    return turn.Add(parts.backlog.Complete(work)).Commit(parts.database, parts.retries);
  }
  const contexts::ItemReader key(*page.last_evaluated_key);
  Work later = work;
  later.input[kPartitionInput] = key.Text("PK");
  later.input[kSortInput] = key.Text("SK");
  later.input[kSeenInput] = StrCat(SeenOf(work) + static_cast<int64_t>(page.images.size()));
  return turn.Add(parts.backlog.Continue(later, parts.clock.NowMs()))
      .Commit(parts.database, parts.retries);
}

Result<std::optional<UpgradePosition>> QueueRecount(const UpgradeParts& parts,
                                                    const UpgradePosition& /*from*/) {
  RETURN_IF_ERROR(Transaction(StrCat("queue-recount ", RandomUuid()))
                      .Add(parts.backlog.Enqueue(RecountWork()))
                      .Commit(parts.database, parts.retries));
  return std::optional<UpgradePosition>();
}

}  // namespace tintype::flows
