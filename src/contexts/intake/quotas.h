#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "contexts/common/transaction.h"
#include "contexts/intake/storage_use.h"
#include "tables/language/blocking_database.h"

/// How many bytes an account stores, and how many it may: items of the table tintype.
namespace tintype::contexts::intake {

/// What there is to know before an image is charged with something else.
struct ChargeView {
  /// What the image, or the upload that becomes one, is charged with; nothing when it never was.
  std::optional<int64_t> bytes;
  /// Whether anything is kept of the account; no more once it is deleted.
  bool has_account = false;
};

/// What one image, or one upload, of an account is charged with.
struct ImageCharge {
  std::string id;
  int64_t bytes = 0;
};
struct ChargesPage {
  std::vector<ImageCharge> charges;
  std::optional<tables::Item> last_evaluated_key;
};

struct ChargedAccountsPage {
  std::vector<std::string> account_ids;
  std::optional<tables::Item> last_evaluated_key;
};

/// Owns `QUOTA#{accountId}`: under `QUOTA` what the account uses and what it has left, under an
/// image's id what of that is the image's. An upload has the id of the image that it becomes, and
/// is charged with what it announced, or with what has come of it. Both are changed in one
/// transaction, on the condition that the image's is as it was seen: so an account's use is always
/// the sum over its images, and whatever is given back is given back once.
///
/// Accounts from before there were quotas have no item, which is no quota and nothing used.
/// Thread-safe; keeps nothing.
class Quotas {
 public:
  explicit Quotas(tables::Database& database) : database_(database) {}

  Result<StorageUse> Find(std::string_view account_id);
  /// The same for many, by their ids: in one call for every hundred. Those without an item are left
  /// out.
  Result<std::unordered_map<std::string, StorageUse>> FindAll(
      const std::vector<std::string>& account_ids);
  Result<ChargeView> FindCharge(std::string_view account_id, std::string_view image_id);

  /// The accounts of which anything is kept, those that were deleted too: each once, however many
  /// pages it goes on for. A page is of so many items of the table, most of which are others'.
  Result<ChargedAccountsPage> ListAccounts(const std::optional<tables::Item>& after, int64_t limit);
  /// What an account is charged with, one by one.
  Result<ChargesPage> ListCharges(std::string_view account_id,
                                  const std::optional<tables::Item>& after);

  /// How much the account may use in all; less than it uses is fine. kNoQuota for any amount.
  static Piece SetQuota(std::string_view account_id, int64_t quota);
  static Piece Remove(std::string_view account_id);

  /// What the account uses, whatever it was charged with; its quota stays. Refused with
  /// kChargeIsAnother when it does not use `seen` any more.
  static Piece SetUsed(std::string_view account_id, int64_t seen, int64_t used);

  /// Takes so many bytes, which are not negative. Refused with kQuotaExceeded when fewer are left,
  /// and when none are.
  static Piece Take(std::string_view account_id, int64_t bytes);
  /// What an image is charged with from now on, with the account's side of it, whether there is
  /// room or not. Nothing when that changes nothing. Refused with kChargeIsAnother.
  static Pieces Charge(std::string_view account_id, std::string_view image_id,
                       const ChargeView& seen, int64_t bytes);
  /// The image's side of it alone. Refused with kChargeIsAnother.
  static Piece SetCharge(std::string_view account_id, std::string_view image_id,
                         const std::optional<int64_t>& seen, int64_t bytes);
  /// The image is charged with nothing any more. Nothing when it never was. Refused with
  /// kChargeIsAnother.
  static Pieces Release(std::string_view account_id, std::string_view image_id,
                        const ChargeView& seen);

 private:
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::intake
