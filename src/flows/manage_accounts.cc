#include "flows/manage_accounts.h"

#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "base/ulid.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts.h"
#include "contexts/people/people.h"
#include "flows/config.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::identity::Accounts;
using contexts::identity::AccountWithPassword;
using contexts::people::People;

}  // namespace

Result<Account> AddAccount(const AddAccountParts& parts, const NewAccount& described,
                           bool administrator) {
  AccountWithPassword added;
  added.password_hash = described.password_hash;
  Account& account = added.account;
  ASSIGN_OR_RETURN(account.email, contexts::identity::CheckEmail(described.email));
  ASSIGN_OR_RETURN(account.username, contexts::identity::CheckUsername(described.username));
  account.administrator = administrator;
  ASSIGN_OR_RETURN(account.id, parts.ids.Next());
  account.created_ms = parts.clock.NowMs();
  const int64_t limit = administrator ? contexts::people::kUnlimited : parts.config.upload_limit;
  Transaction sign_up(StrCat("sign-up ", account.id));
  sign_up.Add(Accounts::Add(added))
      .Add(People::AddUser({account.email, account.username, {}, {}}, limit));
  if (administrator) {
    // Of two who are the first at once, one is.
    sign_up.Add(Accounts::SetUp(account));
  }
  RETURN_IF_ERROR(sign_up.Commit(parts.database, parts.retries));
  return std::move(added.account);
}

Result<Account> CreateAccount(const CreateAccountParts& parts, const NewAccount& account) {
  ASSIGN_OR_RETURN(const bool set_up, parts.accounts.IsSetUp());
  return AddAccount(parts, account, /*administrator=*/!set_up);
}

Status ResetPassword(const ResetPasswordParts& parts, std::string_view account_id,
                     std::string_view password_hash) {
  // Hashes are salted, so no two resets are one request.
  return Transaction(StrCat("reset-password ", account_id))
      .Add(Accounts::ResetPassword(account_id, password_hash))
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
