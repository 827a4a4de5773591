#include "flows/uploads/recount_storage.h"

#include <optional>
#include <string>
#include <string_view>
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
#include "contexts/common/media_type.h"
#include "contexts/common/transaction.h"
#include "contexts/intake/intake.h"
#include "contexts/intake/quotas.h"
#include "flows/config.h"
#include "flows/media_keys.h"
#include "flows/uploads/storage_quota.h"
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
using contexts::intake::Quotas;

/// How many items of the catalog one turn looks at: few enough to be done well within a lease, also
/// where each look at a blob is a request.
constexpr int64_t kCountedPerTurn = 100;
/// How many items of the table that charges are in, likewise: most of them are others'.
constexpr int64_t kAccountItemsPerTurn = 200;
/// For how long the work says that it has ended before it goes.
constexpr int64_t kEndShownMs = 5'000;

// What the work knows: its stage, the key behind which it goes on, and how many images it has
// looked at. The first stage, which goes over the images, has no name.
constexpr const char* kStageInput = "stage";
constexpr std::string_view kAccountsStage = "accounts";
constexpr std::string_view kEndedStage = "ended";
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

/// The key behind which it goes on.
std::optional<tables::Item> RecountedTo(const Work& work) {
  const std::string partition = InputText(work, kPartitionInput);
  if (partition.empty()) {
    return std::nullopt;
  }
  return contexts::ItemBuilder()
      .Text("PK", partition)
      .Text("SK", InputText(work, kSortInput))
      .Build();
}

/// It goes on behind that key, or with the next stage when there is none.
void MoveRecount(Work& work, const std::optional<tables::Item>& key, std::string_view next_stage) {
  work.input.erase(kPartitionInput);
  work.input.erase(kSortInput);
  if (key) {
    const contexts::ItemReader read(*key);
    work.input[kPartitionInput] = read.Text("PK");
    work.input[kSortInput] = read.Text("SK");
  } else {
    work.input[kStageInput] = next_stage;
  }
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

/// What is kept of a video, a sound or a document beside its renditions.
Result<int64_t> MadeBytes(const RecountParts& parts, const Image& image) {
  if (contexts::MediaTypeOf(image.mime_type) == "image") {
    return 0;
  }
  const std::string& bucket = parts.config.images_bucket;
  ASSIGN_OR_RETURN(const auto poster,
                   parts.blobs.Head({bucket, StoredKey(image.id, 0, Size::kPoster)}));
  int64_t bytes = poster ? static_cast<int64_t>(poster->bytes) : 0;
  blobs::ListRequest request;
  request.bucket = bucket;
  request.prefix = ProxyFolder(image.id);
  ASSIGN_OR_RETURN(const blobs::BlobList made, parts.blobs.List(request));
  for (const blobs::ListedBlob& blob : made.blobs) {
    bytes += static_cast<int64_t>(blob.info.bytes);
  }
  return bytes;
}

/// What is kept of an image. The records say how large originals and edits are in full size.
Result<int64_t> StoredBytes(const RecountParts& parts, const Image& image) {
  ASSIGN_OR_RETURN(int64_t bytes, RenditionBytes(parts, image.id, 0));
  ASSIGN_OR_RETURN(const int64_t made, MadeBytes(parts, image));
  bytes += image.file_size + made;
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

/// One turn of the first stage.
Status RecountImages(const RecountParts& parts, Work& work) {
  ASSIGN_OR_RETURN(const auto page, parts.catalog.ListAll(RecountedTo(work), kCountedPerTurn));
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
  work.input[kSeenInput] = StrCat(SeenOf(work) + static_cast<int64_t>(page.images.size()));
  MoveRecount(work, page.last_evaluated_key, kAccountsStage);
  return OkStatus();
}

/// Whether an account has neither an image nor an upload of that id. An upload that ends meanwhile
/// is an image by the time that this looks for one.
Result<bool> IsChargedForNothing(const RecountParts& parts, const std::string& account_id,
                                 const std::string& id) {
  ASSIGN_OR_RETURN(const auto upload, parts.intake.FindUpload(id));
  if (upload && upload->user_id == account_id) {
    return false;
  }
  ASSIGN_OR_RETURN(const std::optional<Image> image, parts.catalog.Find(id));
  return !image || image->user_id != account_id;
}

/// Drops those of some charges of an account that are for nothing that it has.
Status DropStrayCharges(const RecountParts& parts, const std::string& account_id,
                        const std::vector<contexts::intake::ImageCharge>& charges) {
  std::vector<std::string> ids;
  ids.reserve(charges.size());
  for (const contexts::intake::ImageCharge& charge : charges) {
    ids.push_back(charge.id);
  }
  ASSIGN_OR_RETURN(const auto images, parts.catalog.FindAll(ids));
  for (const std::string& id : ids) {
    const auto image = images.find(id);
    if (image != images.end() && image->second.user_id == account_id) {
      continue;
    }
    ASSIGN_OR_RETURN(const bool is_stray, IsChargedForNothing(parts, account_id, id));
    if (!is_stray) {
      continue;
    }
    RETURN_IF_ERROR(
        CommitReleasing(parts, account_id, id, [&](const contexts::Pieces& release) -> Status {
          return release.empty() ? OkStatus()
                                 : Transaction(StrCat("drop-charge ", id, " ", RandomUuid()))
                                       .Add(release)
                                       .Commit(parts.database, parts.retries);
        }));
  }
  return OkStatus();
}

/// What an account is said to use, and the sum of what it is charged with.
struct RecountedTotal {
  int64_t used = 0;
  int64_t charged = 0;

  bool operator==(const RecountedTotal&) const = default;
};

Result<RecountedTotal> SumCharges(const RecountParts& parts, const std::string& account_id) {
  Quotas quotas(parts.database);
  ASSIGN_OR_RETURN(const auto use, quotas.Find(account_id));
  RecountedTotal total{use.used};
  std::optional<tables::Item> after;
  do {
    ASSIGN_OR_RETURN(auto page, quotas.ListCharges(account_id, after));
    for (const contexts::intake::ImageCharge& charge : page.charges) {
      total.charged += charge.bytes;
    }
    after = std::move(page.last_evaluated_key);
  } while (after);
  return total;
}

/// Makes what an account is said to use the sum of its charges. These may change while they are
/// summed up: a difference is believed when it is found twice, and nothing has changed since.
Status MendTotal(const RecountParts& parts, const std::string& account_id) {
  constexpr int kSumsMax = 20;
  std::optional<RecountedTotal> last;
  for (int i = 0; i < kSumsMax; ++i) {
    ASSIGN_OR_RETURN(const RecountedTotal total, SumCharges(parts, account_id));
    if (total.used == total.charged) {
      return OkStatus();
    }
    if (total == last) {
      Status mended = Transaction(StrCat("mend-total ", account_id, " ", RandomUuid()))
                          .Add(Quotas::SetUsed(account_id, total.used, total.charged))
                          .Commit(parts.database, parts.retries);
      if (mended.ok() || !mended.error().Is(contexts::intake::kChargeIsAnother)) {
        return mended;
      }
    }
    last = total;
  }
  return Error(ErrorKind::kUnavailable,
               StrCat("The files of the account ", account_id, " change all the time."));
}

/// One turn of the second stage.
Status RecountAccounts(const RecountParts& parts, Work& work) {
  Quotas quotas(parts.database);
  ASSIGN_OR_RETURN(const auto accounts,
                   quotas.ListAccounts(RecountedTo(work), kAccountItemsPerTurn));
  for (const std::string& account_id : accounts.account_ids) {
    std::optional<tables::Item> after;
    do {
      ASSIGN_OR_RETURN(auto page, quotas.ListCharges(account_id, after));
      RETURN_IF_ERROR(DropStrayCharges(parts, account_id, page.charges));
      after = std::move(page.last_evaluated_key);
    } while (after);
    RETURN_IF_ERROR(MendTotal(parts, account_id));
  }
  MoveRecount(work, accounts.last_evaluated_key, kEndedStage);
  return OkStatus();
}

}  // namespace

Status StartRecount(const RecountParts& parts) {
  ASSIGN_OR_RETURN(const std::optional<Work> going_on, parts.backlog.Find(kRecountWork));
  if (going_on && going_on->status != WorkStatus::kDead &&
      InputText(*going_on, kStageInput) != kEndedStage) {
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
  return std::optional(
      RecountProgress{SeenOf(*work), InputText(*work, kStageInput) == kEndedStage});
}

Status RecountImage(const RecountParts& parts, const std::string& id) {
  constexpr int kAttemptsMax = 20;
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(const std::optional<Image> image, parts.catalog.Find(id));
    if (!image || image->user_id.empty()) {
      return OkStatus();
    }
    // Before anything is counted: any change from then on changes it.
    ASSIGN_OR_RETURN(const auto seen, Quotas(parts.database).FindCharge(image->user_id, id));
    ASSIGN_OR_RETURN(const int64_t bytes, StoredBytes(parts, *image));
    contexts::Pieces charge = Quotas::Charge(image->user_id, id, seen, bytes);
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

Status ContinueRecount(const RecountParts& parts, const Work& work) {
  Transaction turn(StrCat(kRecountWork, " ", work.token));
  const std::string stage = InputText(work, kStageInput);
  if (stage == kEndedStage) {
    return turn.Add(parts.backlog.Complete(work)).Commit(parts.database, parts.retries);
  }
  Work later = work;
  RETURN_IF_ERROR(stage == kAccountsStage ? RecountAccounts(parts, later)
                                          : RecountImages(parts, later));
  const bool ended = InputText(later, kStageInput) == kEndedStage;
  return turn.Add(parts.backlog.Continue(later, parts.clock.NowMs() + (ended ? kEndShownMs : 0)))
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
