#include "flows/uploads/upload_limit.h"

#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/people/people.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::people::IsUnlimited;
using contexts::people::kLimitIsAnother;
using contexts::people::kLimitMax;
using contexts::people::kUnlimited;
using contexts::people::kUploadLimitReached;
using contexts::people::People;

/// How often a commit is tried while the limit comes and goes, which takes an operator each time.
constexpr int kCommitsMax = 10;

/// Tells people what they themselves can do.
Error NoneLeft(const Account& account) {
  return {kUploadLimitReached,
          account.administrator
              ? StrCat("Your upload limit is used up. 'tintype users limit ", account.username,
                       " none' on the server takes it away; deleting photos for good gives "
                       "uploads back.")
              : std::string("Your upload limit is used up. Delete photos for good, or ask the "
                            "person who runs this server for more uploads.")};
}

Status CheckNumber(int64_t number, int64_t least) {
  if (number >= least && number <= kLimitMax) {
    return OkStatus();
  }
  return Error::Validation(
      StrCat("An upload limit is a number from ", least, " to ", kLimitMax, "."));
}

}  // namespace

Status CommitTakingUpload(const UploadLimitParts& parts, const Account& account,
                          const Transaction& rest) {
  bool limited = GuessLimit(account) == LimitGuess::kLimited;
  for (int attempt = 1;; ++attempt) {
    Transaction whole = rest;
    whole.Add(limited ? People::TakeFromLimit(account.email)
                      : People::CheckUnlimited(account.email));
    Status committed = whole.Commit(parts.database, parts.retries);
    if (committed.ok()) {
      return committed;
    }
    const Error& error = committed.error();
    const bool is_another =
        limited ? People::IsRefusedAsUnlimited(error) : error.Is(kLimitIsAnother);
    if (!is_another || attempt == kCommitsMax) {
      return error.Is(kUploadLimitReached) ? NoneLeft(account) : error;
    }
    limited = !limited;
  }
}

LimitGuess GuessLimit(const Account& account) {
  return account.administrator ? LimitGuess::kUnlimited : LimitGuess::kLimited;
}

Status CommitGivingUploadBack(const UploadLimitParts& parts, std::string_view email,
                              LimitGuess guess, const Transaction& rest) {
  bool limited = guess == LimitGuess::kLimited;
  for (int attempt = 1;; ++attempt) {
    Transaction whole = rest;
    whole.Add(limited ? People::GiveBackToLimit(email) : People::CheckNothingToGiveBackTo(email));
    Status committed = whole.Commit(parts.database, parts.retries);
    if (committed.ok() || !committed.error().Is(kLimitIsAnother) || attempt == kCommitsMax) {
      return committed;
    }
    limited = !limited;
  }
}

Status CheckUploadLimit(int64_t limit) {
  return IsUnlimited(limit) ? OkStatus() : CheckNumber(limit, 0);
}

Result<int64_t> ChangeUploadLimit(const ChangeLimitParts& parts, std::string_view email,
                                  const LimitChange& change) {
  const std::string now = TimeText(parts.clock.NowMs());
  // The random part keeps the same change, asked for again, from counting as a repetition.
  Transaction changes(StrCat("change-limit ", email, " ", RandomUuid()));
  if (change.more) {
    RETURN_IF_ERROR(CheckNumber(*change.more, 1));
    changes.Add(People::AddToLimit(email, *change.more, now));
  } else {
    const int64_t to = change.to.value_or(-1);
    RETURN_IF_ERROR(CheckUploadLimit(to));
    changes.Add(People::SetLimit(email, to, now));
  }
  const Status changed = changes.Commit(parts.database, parts.retries);
  if (!changed.ok() && !changed.error().Is(kLimitIsAnother)) {
    return changed.error();
  }
  ASSIGN_OR_RETURN(const std::optional<int64_t> limit, parts.people.FindLimit(email));
  return limit.value_or(0);
}

Result<std::optional<UpgradePosition>> FreeAdministrators(const UpgradeParts& parts,
                                                          const UpgradePosition& from) {
  constexpr int64_t kUsersInATurn = 100;
  const auto position = from.find("email");
  People people(parts.database);
  contexts::identity::Accounts accounts(parts.database);
  ASSIGN_OR_RETURN(
      const auto page,
      people.ListUsers(kUsersInATurn, position == from.end()
                                          ? std::nullopt
                                          : std::optional(People::PlaceOfUser(position->second))));
  std::vector<std::string> emails;
  for (const contexts::people::User& user : page.users) {
    emails.push_back(user.email);
  }
  ASSIGN_OR_RETURN(const auto found, accounts.FindAllByEmail(emails));
  for (const Account& account : found) {
    if (account.administrator) {
      const Status freed = Transaction(StrCat("free-administrator ", account.id))
                               .Add(People::TakeAwayDefaultLimit(account.email))
                               .Commit(parts.database, parts.retries);
      if (!freed.ok() && !freed.error().Is(kLimitIsAnother)) {
        return freed.error();
      }
    }
  }
  if (!page.last_evaluated_key || emails.empty()) {
    return std::optional<UpgradePosition>();
  }
  return std::optional<UpgradePosition>({{"email", emails.back()}});
}

}  // namespace tintype::flows
