#include "flows/manage_accounts.h"

#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/strings.h"
#include "base/ulid.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts.h"
#include "contexts/identity/invitations.h"
#include "contexts/identity/password_links.h"
#include "contexts/identity/reasons.h"
#include "contexts/people/people.h"
#include "contract/limits.h"
#include "flows/config.h"
#include "flows/upload_limit.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::identity::Accounts;
using contexts::identity::AccountWithPassword;
using contexts::people::People;

/// How many uploads an account starts with.
int64_t LimitOf(const ProductConfig& config, bool administrator) {
  return administrator ? contexts::people::kUnlimited : config.upload_limit;
}

Result<Account> FindPresent(contexts::identity::Accounts& accounts, std::string_view account_id) {
  ASSIGN_OR_RETURN(auto found, accounts.Find(account_id));
  if (!found) {
    return Error::NotFound("There is no such account.");
  }
  return *std::move(found);
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
  const int64_t limit = LimitOf(parts.config, account.administrator);
  Transaction sign_up(StrCat("sign-up ", account.id));
  sign_up.Add(Accounts::Add(added))
      .Add(People::AddUser({account.email, account.username, {}, {}}, limit));
  if (described.first) {
    // Of two who are the first at once, one is.
    sign_up.Add(Accounts::SetUp(account));
  }
  if (described.invitation) {
    sign_up.Add(contexts::identity::Invitations::Use(*described.invitation));
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

Result<ListedAccount> FindAccount(const ListAccountsParts& parts, std::string_view account_id) {
  ASSIGN_OR_RETURN(Account account, FindPresent(parts.accounts, account_id));
  ASSIGN_OR_RETURN(const auto limit, parts.people.FindLimit(account.email));
  return ListedAccount{std::move(account), limit.value_or(0)};
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
  if (change.disabled && *change.disabled != account.disabled) {
    changes.Add(Accounts::SetDisabled(account.id, *change.disabled));
  }
  const bool new_role = change.administrator && *change.administrator != account.administrator;
  if (new_role) {
    changes.Add(Accounts::SetAdministrator(account.id, *change.administrator));
  }
  if (!changes.empty()) {
    RETURN_IF_ERROR(changes.Commit(parts.database, parts.retries));
  }
  std::optional<int64_t> limit = change.limit;
  if (new_role && !limit) {
    limit = LimitOf(parts.config, *change.administrator);
  }
  if (limit) {
    RETURN_IF_ERROR(ChangeUploadLimit(parts, account.email, {.to = limit}));
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

Status SetDisplayName(const DisplayNameParts& parts, const Account& account,
                      const std::optional<std::string>& name) {
  if (name) {
    RETURN_IF_ERROR(limits::CheckText("displayName", *name, limits::kDisplayName));
  }
  return Transaction(StrCat("display-name ", account.id, " ", RandomUuid()))
      .Add(Accounts::SetDisplayName(account.id, name))
      .Add(People::SetUsername(account.email, name.value_or(account.username)))
      .Commit(parts.database, parts.retries);
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
  AccountsPage page;
  for (const Account& account : accounts) {
    const auto found = limits.find(account.email);
    page.accounts.push_back({account, found == limits.end() ? 0 : found->second});
  }
  if (users.last_evaluated_key && !emails.empty()) {
    page.next = emails.back();
  }
  return page;
}

}  // namespace tintype::flows
