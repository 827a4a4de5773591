#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "flows/parts.h"

/// What the person who runs the server does with accounts. Passwords arrive as hashes
/// (contexts/identity/passwords.h), so that nothing but what reads them ever has them.
namespace tintype::flows {

/// The words with which a new account is described. Email and username may be in any spelling.
struct NewAccount {
  std::string email;
  std::string username;
  std::string password_hash;
};

using AddAccountParts = Uses<ConfigPart, DatabasePart, ClockPart, IdsPart>;

/// Makes an account with its user and its limit, which an administrator does not have. One who is
/// made administrator is the first account. Errors: kValidation for an email or a username that can
/// be none; kInUse when one of them is taken; identity::kSetUpAlready when another is the first.
Result<Account> AddAccount(const AddAccountParts& parts, const NewAccount& account,
                           bool administrator);

using CreateAccountParts = Uses<ConfigPart, DatabasePart, ClockPart, IdsPart, AccountsPart>;

/// The same by who runs the server, which needs neither an open sign-up nor, for the first account,
/// which becomes administrator, the setup token: that is for proving that one can read the data
/// directory.
Result<Account> CreateAccount(const CreateAccountParts& parts, const NewAccount& account);

using ResetPasswordParts = Uses<DatabasePart>;

/// Sets another password and ends all sessions of the account. Access tokens that are out stay good
/// until they expire, for at most 16 minutes. Errors: kNotFound.
Status ResetPassword(const ResetPasswordParts& parts, std::string_view account_id,
                     std::string_view password_hash);

struct ListedAccount {
  Account account;
  /// How many uploads are left, people::kUnlimited or more for any number.
  int64_t limit = 0;
};

struct AccountsPage {
  std::vector<ListedAccount> accounts;
  /// Where the list goes on; nothing at its end.
  std::optional<std::string> next;
};

using ListAccountsParts = Uses<AccountsPart, PeoplePart>;

/// All accounts by email, at most `limit` of them, after the one that `after` names.
Result<AccountsPage> ListAccounts(const ListAccountsParts& parts, int64_t limit,
                                  const std::optional<std::string>& after);

}  // namespace tintype::flows
