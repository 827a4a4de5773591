#include "flows/accounts/manage_accounts.h"

#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "base/ulid.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/identity/accounts/invitations.h"
#include "contexts/identity/accounts/outside_identities.h"
#include "contexts/identity/credentials/password_links.h"
#include "contexts/identity/reasons.h"
#include "contexts/intake/quotas.h"
#include "contexts/people/people.h"
#include "contract/limits.h"
#include "flows/accounts/profile.h"
#include "flows/config.h"
#include "flows/uploads/upload_limit.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::identity::Accounts;
using contexts::identity::AccountWithPassword;
using contexts::intake::Quotas;
using contexts::people::People;

/// How many uploads an account starts with.
int64_t LimitOf(const ProductConfig& config, bool administrator) {
  return administrator ? contexts::people::kUnlimited : config.upload_limit;
}

/// How many bytes an account may store at its start.
int64_t QuotaOf(const ProductConfig& config, bool administrator) {
  return administrator ? contexts::intake::kNoQuota : config.quota;
}

Result<Account> FindPresent(contexts::identity::Accounts& accounts, std::string_view account_id) {
  ASSIGN_OR_RETURN(auto found, accounts.Find(account_id));
  if (!found) {
    return Error::NotFound("There is no such account.");
  }
  return *std::move(found);
}

Status CheckQuota(int64_t quota) {
  if (quota == contexts::intake::kNoQuota || limits::kQuotaBytes.Allows(quota)) {
    return OkStatus();
  }
  return Error::Validation(StrCat("A quota is a number of bytes from ", limits::kQuotaBytes.min,
                                  " to ", limits::kQuotaBytes.max, "."));
}

}  // namespace

Result<Account> AddAccount(const AddAccountParts& parts, const NewAccount& described) {
  AccountWithPassword added;
  added.password_hash = described.password_hash;
  Account& account = added.account;
  ASSIGN_OR_RETURN(account.email, contexts::identity::CheckEmail(described.email));
  ASSIGN_OR_RETURN(account.username, contexts::identity::CheckUsername(described.username));
  account.administrator = described.administrator;
  ASSIGN_OR_RETURN(account.id, parts.ids.Next());
  account.created_ms = parts.clock.NowMs();
  account.display_name = described.display_name;
  // Whom an outside identity came with is linked already: nobody else comes by that address.
  account.email_vouched = !described.outside &&
                          (described.email_vouched ||
                           (described.invitation && described.invitation->email == account.email));
  account.role_from_outside = described.role_from_outside;
  account.has_password = !described.password_hash.empty();
  const int64_t limit = LimitOf(parts.config, account.administrator);
  Transaction sign_up(StrCat("sign-up ", account.id));
  sign_up.Add(Accounts::Add(added))
      .Add(People::AddUser(NewUser(account), limit))
      .Add(Quotas::SetQuota(account.id, QuotaOf(parts.config, account.administrator)));
  if (described.first) {
    // Of two who are the first at once, one is.
    sign_up.Add(Accounts::SetUp(account));
  }
  if (described.invitation) {
    sign_up.Add(contexts::identity::Invitations::Use(*described.invitation));
  }
  if (described.outside) {
    contexts::identity::OutsideIdentity linked = *described.outside;
    linked.account_id = account.id;
    sign_up.Add(contexts::identity::OutsideIdentities::Link(linked));
  }
  RETURN_IF_ERROR(sign_up.Commit(parts.database, parts.retries));
  return std::move(added.account);
}

Result<Account> CreateAccount(const CreateAccountParts& parts, const NewAccount& account) {
  ASSIGN_OR_RETURN(const bool set_up, parts.accounts.IsSetUp());
  NewAccount described = account;
  described.first = !set_up;
  described.administrator = described.administrator || described.first;
  return AddAccount(parts, described);
}

Status ResetPassword(const ResetPasswordParts& parts, std::string_view account_id,
                     std::string_view password_hash) {
  // Hashes are salted, so no two resets are one request.
  return Transaction(StrCat("reset-password ", account_id))
      .Add(Accounts::ResetPassword(account_id, password_hash))
      .Commit(parts.database, parts.retries);
}

void CheckActor(const Actor& actor, Transaction& changes) {
  if (!actor.account_id.empty()) {
    changes.Add(Accounts::CheckAdministrator(actor.account_id));
  }
}

Result<ListedAccount> FindAccount(const ListAccountsParts& parts, std::string_view account_id) {
  ASSIGN_OR_RETURN(Account account, FindPresent(parts.accounts, account_id));
  ASSIGN_OR_RETURN(const auto limit, parts.people.FindLimit(account.email));
  ASSIGN_OR_RETURN(const auto storage, Quotas(parts.database).Find(account.id));
  return ListedAccount{std::move(account), limit.value_or(0), storage};
}

Result<ListedAccount> ChangeAccount(const ChangeAccountParts& parts, const Actor& actor,
                                    std::string_view account_id, const AccountChange& change) {
  ASSIGN_OR_RETURN(const Account account, FindPresent(parts.accounts, account_id));
  if (account.id == actor.account_id && (change.disabled || change.administrator)) {
    return Error(kOwnAccount,
                 "You cannot disable your own account or change its role. Another administrator "
                 "can.");
  }
  // The random part keeps two changes to the same value apart, with another one between them.
  Transaction changes(StrCat("change-account ", account.id, " ", RandomUuid()));
  contexts::identity::StandingChange standing;
  if (change.disabled && *change.disabled != account.disabled) {
    standing.disabled = change.disabled;
  }
  std::optional<int64_t> limit = change.limit;
  std::optional<int64_t> quota = change.quota;
  if (change.administrator && *change.administrator != account.administrator) {
    standing.administrator = change.administrator;
    limit = limit.value_or(LimitOf(parts.config, *change.administrator));
    quota = quota.value_or(QuotaOf(parts.config, *change.administrator));
  }
  if (standing.disabled || standing.administrator) {
    changes.Add(Accounts::SetStanding(account.id, standing));
  } else if ((limit || quota) && account.id != actor.account_id) {
    // That the actor's own stays is checked below.
    changes.Add(Accounts::CheckStays(account.id));
  }
  if (limit) {
    RETURN_IF_ERROR(CheckUploadLimit(*limit));
    changes.Add(People::SetLimit(account.email, *limit, TimeText(parts.clock.NowMs())));
  }
  if (quota) {
    RETURN_IF_ERROR(CheckQuota(*quota));
    changes.Add(Quotas::SetQuota(account.id, *quota));
  }
  if (!changes.empty()) {
    CheckActor(actor, changes);
    RETURN_IF_ERROR(changes.Commit(parts.database, parts.retries));
  }
  return FindAccount(parts, account.id);
}

Result<contexts::identity::PasswordLink> MakePasswordLink(const PasswordLinkParts& parts,
                                                          std::string_view account_id) {
  ASSIGN_OR_RETURN(const Account account, FindPresent(parts.accounts, account_id));
  if (account.deleting) {
    return Error(contexts::identity::kAccountDeleting, "The account is being deleted.");
  }
  const int64_t expires_ms =
      parts.clock.NowMs() + std::chrono::milliseconds(kPasswordLinkKept).count();
  return contexts::identity::PasswordLinks(parts.database, parts.clock)
      .Create(account.id, expires_ms);
}

Result<AccountsPage> ListAccounts(const ListAccountsParts& parts, int64_t limit,
                                  const std::optional<std::string>& after) {
  ASSIGN_OR_RETURN(const auto users,
                   parts.people.ListUsers(
                       limit, after ? std::optional(People::PlaceOfUser(*after)) : std::nullopt));
  std::vector<std::string> emails;
  for (const contexts::people::User& user : users.users) {
    emails.push_back(user.email);
  }
  ASSIGN_OR_RETURN(const auto accounts, parts.accounts.FindAllByEmail(emails));
  ASSIGN_OR_RETURN(const auto limits, parts.people.FindLimits(emails));
  std::vector<std::string> ids;
  ids.reserve(accounts.size());
  for (const Account& account : accounts) {
    ids.push_back(account.id);
  }
  ASSIGN_OR_RETURN(const auto storage, Quotas(parts.database).FindAll(ids));
  AccountsPage page;
  for (const Account& account : accounts) {
    const auto left = limits.find(account.email);
    const auto used = storage.find(account.id);
    page.accounts.push_back(
        {account, left == limits.end() ? 0 : left->second,
         used == storage.end() ? contexts::intake::StorageUse() : used->second});
  }
  if (users.last_evaluated_key && !emails.empty()) {
    page.next = emails.back();
  }
  return page;
}

}  // namespace tintype::flows
