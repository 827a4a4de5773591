#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/identity/invitation.h"
#include "contexts/identity/password_link.h"
#include "flows/parts.h"

/// What the person who runs the server does with accounts. Passwords arrive as hashes
/// (contexts/identity/passwords.h), so that nothing but what reads them ever has them.
namespace tintype::flows {

/// The words with which a new account is described. Email and username may be in any spelling.
struct NewAccount {
  std::string email;
  std::string username;
  std::string password_hash;  // Empty: its owner sets one by a link (MakePasswordLink).
  bool administrator = false;
  bool first = false;  // The first account, of which there is one.
  std::optional<contexts::identity::Invitation> invitation = {};  // Used up by it.
};

using AddAccountParts = Uses<ConfigPart, DatabasePart, ClockPart, IdsPart>;

/// Makes an account with its user and its limit, which an administrator does not have. Errors:
/// kValidation for an email or a username that can be none; kInUse when one of them is taken;
/// identity::kSetUpAlready when another is the first; identity::kInvalidInvitation when the
/// invitation was used meanwhile.
Result<Account> AddAccount(const AddAccountParts& parts, const NewAccount& account);

using CreateAccountParts = Uses<ConfigPart, DatabasePart, ClockPart, IdsPart, AccountsPart>;

/// The same by who runs the server, which needs neither an open sign-up nor, for the first account,
/// which becomes administrator, the setup token: that is for proving that one can read the data
/// directory.
Result<Account> CreateAccount(const CreateAccountParts& parts, const NewAccount& account);

using ResetPasswordParts = Uses<DatabasePart>;

/// Sets another password and ends all sessions of the account, within a second. API keys stay.
/// Errors: kNotFound.
Status ResetPassword(const ResetPasswordParts& parts, std::string_view account_id,
                     std::string_view password_hash);

/// By whom an account is changed: administrators change everybody's but their own, so that there is
/// always one left.
struct Actor {
  std::string account_id;  // Empty: who runs the server, by the command line.
};
/// The account is the actor's own.
inline constexpr Reason kOwnAccount{ErrorKind::kAccessDenied, "OwnAccount"};

struct AccountChange {
  std::optional<bool> disabled = {};
  std::optional<bool> administrator = {};
  std::optional<int64_t> limit = {};  // How many uploads are left; people::kUnlimited for any.
};

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

/// Errors: kNotFound.
Result<ListedAccount> FindAccount(const ListAccountsParts& parts, std::string_view account_id);

using ChangeAccountParts = Uses<ConfigPart, DatabasePart, ClockPart, AccountsPart, PeoplePart>;

/// Disabling ends all sessions of the account. Who becomes an administrator has no upload limit any
/// more; who ceases to be one gets that of new accounts, unless `limit` says otherwise. Errors:
/// kNotFound; kOwnAccount; identity::kAccountDeleting; kValidation for a number that no limit has.
Result<ListedAccount> ChangeAccount(const ChangeAccountParts& parts, const Actor& actor,
                                    std::string_view account_id, const AccountChange& change);

using PasswordLinkParts = Uses<DatabasePart, ClockPart, AccountsPart>;

/// How long a one-time link for a password is good.
inline constexpr std::chrono::hours kPasswordLinkKept{24};

/// A one-time link by which the owner of the account sets another password; those from before end.
/// Errors: kNotFound; identity::kAccountDeleting.
Result<contexts::identity::PasswordLink> MakePasswordLink(const PasswordLinkParts& parts,
                                                          std::string_view account_id);

using DisplayNameParts = Uses<DatabasePart>;

/// What people see instead of the username; nothing to take it away. Errors: kValidation;
/// identity::kAccountDeleting.
Status SetDisplayName(const DisplayNameParts& parts, const Account& account,
                      const std::optional<std::string>& name);

/// All accounts by email, at most `limit` of them, after the one that `after` names.
Result<AccountsPage> ListAccounts(const ListAccountsParts& parts, int64_t limit,
                                  const std::optional<std::string>& after);

}  // namespace tintype::flows
