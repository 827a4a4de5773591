#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "contexts/common/transaction.h"
#include "contexts/intake/quotas.h"
#include "flows/parts.h"

/// How many bytes an account may store: what takes from that and gives it back. An upload takes
/// what it announces, and an image is charged with its original, all renditions, and those of its
/// edits. Renditions and edits are taken when they are there, whether they fit or not: work that
/// was let in is finished, and no more is let in until there is room.
namespace tintype::flows {

using StorageQuotaParts = Uses<DatabasePart>;

/// What an upload takes when it begins: for its first transaction. Refused with
/// intake::kQuotaExceeded.
contexts::Pieces TakeBytes(std::string_view account_id, std::string_view id, int64_t bytes);

/// The same refusal in words for the account's owner, to whom so many more bytes would be charged.
Error NoRoom(const StorageQuotaParts& parts, const Account& account, int64_t more);

/// An upload turned out to have so many bytes, at its end or so far. Its charge so far is
/// corrected, unless it was charged with nothing, as those from before there were quotas. Errors:
/// intake::kQuotaExceeded when it is more and does not fit.
Status SettleUpload(const StorageQuotaParts& parts, const Account& account, std::string_view id,
                    int64_t bytes);

/// How many bytes an image is charged with, by what it was charged with before, if it was.
using NewCharge = std::function<int64_t(const std::optional<int64_t>& before)>;
/// What charges an image anew, for a transaction, whether it fits or not. Refused with
/// intake::kChargeIsAnother, in which case they are to be asked for again.
Result<contexts::Pieces> ChargeImage(const StorageQuotaParts& parts, std::string_view account_id,
                                     std::string_view id, const NewCharge& charge);

/// Calls `commit` with the pieces of ChargeImage, and again with new ones as long as it is refused
/// because somebody else has changed the charge.
Status CommitCharging(const StorageQuotaParts& parts, std::string_view account_id,
                      std::string_view id, const NewCharge& charge,
                      const std::function<Status(const contexts::Pieces& pieces)>& commit);
/// The same with giving back all that an image, or an upload, is charged with.
Status CommitReleasing(const StorageQuotaParts& parts, std::string_view account_id,
                       std::string_view id,
                       const std::function<Status(const contexts::Pieces& pieces)>& commit);

/// What the account stores, and how much it may.
Result<contexts::intake::StorageUse> FindStorageUse(const StorageQuotaParts& parts,
                                                    const Account& account);

/// Whether another edit of the image may be made: it will take about as much as the original.
/// Errors: intake::kQuotaExceeded.
Status CheckRoomForEdit(const StorageQuotaParts& parts, const contexts::catalog::Image& image);

}  // namespace tintype::flows
