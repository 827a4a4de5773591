#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "contexts/common/transaction.h"
#include "flows/parts.h"
#include "flows/upkeep/upgrade.h"

/// How many images an account may upload: what uses it up, gives it back and changes it. The
/// meaning of the number is given where its pieces are (contexts/people/people.h).
namespace tintype::flows {

using UploadLimitParts = Uses<DatabasePart>;

/// Commits `rest` together with taking one upload from the account's limit, or with seeing that it
/// has none. That the limit is changed at the same time is fine: the commit counts before the
/// change or after it. Errors: people::kUploadLimitReached, in words for the account's owner; those
/// of the pieces in `rest`.
Status CommitTakingUpload(const UploadLimitParts& parts, const Account& account,
                          const contexts::Transaction& rest);

/// Whether an account is likely to have a limit. Only costs an attempt when it is wrong.
enum class LimitGuess { kLimited, kUnlimited };
LimitGuess GuessLimit(const Account& account);

/// The same with giving one back to the limit of the user with this email, or with seeing that
/// there is none to give it back to.
Status CommitGivingUploadBack(const UploadLimitParts& parts, std::string_view email,
                              LimitGuess guess, const contexts::Transaction& rest);

/// What to do to a limit. Exactly one of them.
struct LimitChange {
  std::optional<int64_t> to = {};    // So many are left from now on; people::kUnlimited for any.
  std::optional<int64_t> more = {};  // So many more than there are.
};

/// Errors: kValidation for a number that no limit can have.
Status CheckUploadLimit(int64_t limit);

using ChangeLimitParts = Uses<DatabasePart, ClockPart, PeoplePart>;

/// Changes the limit of the user with this email; returns what it is now. A limit cannot be raised
/// where there is none, so that changes nothing. Errors: kValidation for a number that no limit can
/// have.
Result<int64_t> ChangeUploadLimit(const ChangeLimitParts& parts, std::string_view email,
                                  const LimitChange& change);

/// A turn of the upgrade that takes the limit away from administrators who have had one since they
/// signed up. Where somebody has set it since, it stays.
Result<std::optional<UpgradePosition>> FreeAdministrators(const UpgradeParts& parts,
                                                          const UpgradePosition& from);

}  // namespace tintype::flows
