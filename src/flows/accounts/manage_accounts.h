#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/invitation.h"
#include "contexts/identity/accounts/outside_identity.h"
#include "contexts/identity/credentials/password_link.h"
#include "contexts/intake/storage_use.h"
#include "flows/parts.h"

/// What the person who runs the server does with accounts. Passwords arrive as hashes
/// (contexts/identity/credentials/passwords.h), so that nothing but what reads them ever has them.
namespace tintype::flows {

/// The words with which a new account is described. Email and username may be in any spelling.
struct NewAccount {
  std::string email;
  std::string username;
  std::string password_hash;  // Empty: its owner sets one by a link (MakePasswordLink).
  bool administrator = false;
  bool first = false;  // The first account, of which there is one.
  std::optional<contexts::identity::Invitation> invitation = {};  // Used up by it.
  std::optional<std::string> display_name = {};
  /// As in Account. An invitation to the address vouches for it as well.
  bool email_vouched = false;
  bool role_from_outside = false;
  /// Linked to the account, whose id it need not have.
  std::optional<contexts::identity::OutsideIdentity> outside = {};
};

using AddAccountParts = Uses<ConfigPart, DatabasePart, ClockPart, IdsPart>;

/// Makes an account with its user, its limit and its quota, which an administrator does not have.
/// Errors: kValidation for an email or a username that can be none; kInUse when one of them is
/// taken; identity::kSetUpAlready when another is the first; identity::kInvalidInvitation when the
/// invitation was used meanwhile.
Result<Account> AddAccount(const AddAccountParts& parts, const NewAccount& account);

using CreateAccountParts = Uses<ConfigPart, DatabasePart, ClockPart, IdsPart, AccountsPart>;

/// The same by the person who runs the server, which needs neither an open sign-up nor, for the
/// first account, which becomes administrator, the setup token: that is for proving that one can
/// read the data directory.
Result<Account> CreateAccount(const CreateAccountParts& parts, const NewAccount& account);

using ResetPasswordParts = Uses<DatabasePart>;

/// Sets another password and ends all sessions of the account, within a second. API keys stay.
/// Errors: kNotFound.
Status ResetPassword(const ResetPasswordParts& parts, std::string_view account_id,
                     std::string_view password_hash);

/// By whom an account is changed: administrators change everybody's but their own, and only as long
/// as they are administrators, so that there is always one left.
struct Actor {
  std::string account_id;  // Empty: the person who runs the server, by the command line.
};
/// The account is the actor's own.
inline constexpr Reason kOwnAccount{ErrorKind::kAccessDenied, "OwnAccount"};

struct AccountChange {
  std::optional<bool> disabled = {};
  std::optional<bool> administrator = {};
  std::optional<int64_t> limit = {};  // How many uploads are left; people::kUnlimited for any.
  std::optional<int64_t> quota = {};  // How many bytes it may store; intake::kNoQuota for any.
};

struct ListedAccount {
  Account account;
  /// How many uploads are left, people::kUnlimited or more for any number.
  int64_t limit = 0;
  contexts::intake::StorageUse storage = {};
};

struct AccountsPage {
  std::vector<ListedAccount> accounts;
  /// Where the list goes on; nothing at its end.
  std::optional<std::string> next;
};

/// Adds the condition that the actor still is an administrator to what takes that from somebody.
void CheckActor(const Actor& actor, contexts::Transaction& changes);

using ListAccountsParts = Uses<DatabasePart, AccountsPart, PeoplePart>;

/// Errors: kNotFound.
Result<ListedAccount> FindAccount(const ListAccountsParts& parts, std::string_view account_id);

using ChangeAccountParts = Uses<ConfigPart, DatabasePart, ClockPart, AccountsPart, PeoplePart>;

/// Disabling ends all sessions of the account. A new administrator has no upload limit and no quota
/// any more; a former one gets those of new accounts, unless `limit` and `quota` say otherwise.
/// Either all of it happens or nothing. Errors: kNotFound; kOwnAccount;
/// identity::kAdministratorNoMore when the actor was disabled or demoted meanwhile;
/// identity::kAccountDeleting; kValidation for a number that no limit or no quota has.
Result<ListedAccount> ChangeAccount(const ChangeAccountParts& parts, const Actor& actor,
                                    std::string_view account_id, const AccountChange& change);

using PasswordLinkParts = Uses<DatabasePart, ClockPart, AccountsPart>;

/// How long a one-time link for a password is good.
inline constexpr std::chrono::hours kPasswordLinkKept{24};

/// A one-time link by which the owner of the account sets another password; those from before end.
/// Errors: kNotFound; identity::kAccountDeleting.
Result<contexts::identity::PasswordLink> MakePasswordLink(const PasswordLinkParts& parts,
                                                          std::string_view account_id);

/// All accounts by email, at most `limit` of them, after the one that `after` names.
Result<AccountsPage> ListAccounts(const ListAccountsParts& parts, int64_t limit,
                                  const std::optional<std::string>& after);

}  // namespace tintype::flows
