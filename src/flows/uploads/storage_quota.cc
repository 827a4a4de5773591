#include "flows/uploads/storage_quota.h"

#include <array>
#include <cstdio>
#include <utility>

#include "base/strings.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Pieces;
using contexts::Transaction;
using contexts::intake::ChargeView;
using contexts::intake::kChargeIsAnother;
using contexts::intake::kQuotaExceeded;
using contexts::intake::Quotas;
using contexts::intake::StorageUse;

/// How often a charge is looked at anew. Each attempt loses only to another one for the same image,
/// so a few are plenty.
constexpr int kChargesMax = 20;

/// `1.5 GB`, for people.
std::string SizeText(int64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"bytes", "KB", "MB", "GB", "TB"};
  constexpr double kStep = 1024;
  auto size = static_cast<double>(bytes);
  size_t unit = 0;
  for (; size >= kStep && unit + 1 < kUnits.size(); ++unit) {
    size /= kStep;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f" : "%.1f", size);
  return StrCat(text, " ", kUnits[unit]);
}

/// Calls `commit` with what `pieces_of` makes of the charge as it is.
Status CommitOnCharge(const StorageQuotaParts& parts, std::string_view account_id,
                      std::string_view id,
                      const std::function<Pieces(const ChargeView& seen)>& pieces_of,
                      const std::function<Status(const Pieces& pieces)>& commit) {
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(const ChargeView seen, Quotas(parts.database).FindCharge(account_id, id));
    Status committed = commit(pieces_of(seen));
    if (committed.ok() || !committed.error().Is(kChargeIsAnother) || attempt == kChargesMax) {
      return committed;
    }
  }
}

}  // namespace

Pieces TakeBytes(std::string_view account_id, std::string_view id, int64_t bytes) {
  Pieces pieces;
  pieces.push_back(Quotas::Take(account_id, bytes));
  pieces.push_back(Quotas::SetCharge(account_id, id, std::nullopt, bytes));
  return pieces;
}

Error NoRoom(const StorageQuotaParts& parts, const Account& account, int64_t more) {
  const Result<StorageUse> use = Quotas(parts.database).Find(account.id);
  std::string text = "There is no room for this in your storage.";
  if (use.ok() && use->has_quota()) {
    text = StrCat(
        "You use ", SizeText(use->used), " of the ", SizeText(use->quota()), " that you may store",
        more > 0 ? StrCat(", and this needs ", SizeText(more), " more.") : std::string("."));
  }
  return {kQuotaExceeded,
          StrCat(text, account.administrator
                           ? StrCat(" 'tintype users quota ", account.username,
                                    " none' on the server takes the quota away; deleting photos "
                                    "for good makes room.")
                           : std::string(" Delete photos for good, or ask the person who runs this "
                                         "server for more room."))};
}

Status SettleUpload(const StorageQuotaParts& parts, const Account& account, std::string_view id,
                    int64_t bytes) {
  int64_t more = 0;
  const auto pieces_of = [&](const ChargeView& seen) {
    if (!seen.bytes || *seen.bytes >= bytes) {
      return seen.bytes ? Quotas::Charge(account.id, id, seen, bytes) : Pieces();
    }
    more = bytes - *seen.bytes;
    Pieces pieces;
    pieces.push_back(Quotas::Take(account.id, more));
    pieces.push_back(Quotas::SetCharge(account.id, id, seen.bytes, bytes));
    return pieces;
  };
  Status settled =
      CommitOnCharge(parts, account.id, id, pieces_of, [&](const Pieces& pieces) -> Status {
        return pieces.empty() ? OkStatus()
                              : Transaction(StrCat("settle-upload ", id))
                                    .Add(pieces)
                                    .Commit(parts.database, parts.retries);
      });
  return !settled.ok() && settled.error().Is(kQuotaExceeded) ? NoRoom(parts, account, more)
                                                             : settled;
}

Result<Pieces> ChargeImage(const StorageQuotaParts& parts, std::string_view account_id,
                           std::string_view id, const NewCharge& charge) {
  ASSIGN_OR_RETURN(const ChargeView seen, Quotas(parts.database).FindCharge(account_id, id));
  return Quotas::Charge(account_id, id, seen, charge(seen.bytes));
}

Status CommitCharging(const StorageQuotaParts& parts, std::string_view account_id,
                      std::string_view id, const NewCharge& charge,
                      const std::function<Status(const Pieces& pieces)>& commit) {
  return CommitOnCharge(
      parts, account_id, id,
      [&](const ChargeView& seen) {
        return Quotas::Charge(account_id, id, seen, charge(seen.bytes));
      },
      commit);
}

Status CommitReleasing(const StorageQuotaParts& parts, std::string_view account_id,
                       std::string_view id,
                       const std::function<Status(const Pieces& pieces)>& commit) {
  return CommitOnCharge(
      parts, account_id, id,
      [&](const ChargeView& seen) { return Quotas::Release(account_id, id, seen); }, commit);
}

Result<StorageUse> FindStorageUse(const StorageQuotaParts& parts, const Account& account) {
  return Quotas(parts.database).Find(account.id);
}

Status CheckRoomForEdit(const StorageQuotaParts& parts, const contexts::catalog::Image& image) {
  ASSIGN_OR_RETURN(const StorageUse use, Quotas(parts.database).Find(image.user_id));
  if (use.free >= image.file_size) {
    return OkStatus();
  }
  return Error(kQuotaExceeded, StrCat("The edit would be kept beside the original, and you use ",
                                      SizeText(use.used), " of the ", SizeText(use.quota()),
                                      " that you may store. Delete photos for good first."));
}

}  // namespace tintype::flows
