#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "contexts/common/item.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/account.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::identity {

/// The one spelling of an email: in lower case. Errors: kValidation for what cannot be one.
Result<std::string> CheckEmail(std::string_view text);
/// The one spelling of a username: 3 to 40 of `a-z`, `0-9`, `.`, `_`, `-`. Errors: kValidation.
Result<std::string> CheckUsername(std::string_view text);

/// An account with what proves that someone is its owner.
struct AccountWithPassword {
  Account account;
  std::string password_hash;
};

/// What of a profile is to change. Absent fields stay as they are; a text that is nothing is taken
/// away.
struct ProfileChange {
  std::optional<std::optional<std::string>> display_name = {};
  std::optional<std::optional<std::string>> about = {};
};

/// What an account may, as far as that is to change.
struct StandingChange {
  std::optional<bool> disabled = {};
  std::optional<bool> administrator = {};
};

/// Owns the accounts in the table tintype: the account by its id, and the id by email and by
/// username, so that both are unique. Thread-safe; keeps nothing.
class Accounts {
 public:
  explicit Accounts(tables::Database& database) : database_(database) {}

  Result<std::optional<Account>> Find(std::string_view id);
  /// The same for many, by their ids: in one call for every hundred. Those that are not there are
  /// left out.
  Result<std::unordered_map<std::string, Account>> FindAll(const std::vector<std::string>& ids);
  /// The same by their emails, in the order of those.
  Result<std::vector<Account>> FindAllByEmail(const std::vector<std::string>& emails);
  /// By email or username, whichever it looks like.
  Result<std::optional<AccountWithPassword>> FindForLogin(std::string_view name);

  // For LiveCallers, which looks at sessions and accounts together.
  static tables::Item KeyOf(std::string_view id);
  static Account FromItem(const ItemReader& read);

  Result<std::optional<AccountWithPassword>> FindWithPassword(std::string_view id);

  /// Whether the first account has been made.
  Result<bool> IsSetUp();

  /// Refused with kInUse, which says whether the email or the username is taken.
  static Pieces Add(const AccountWithPassword& account);
  /// Makes the account of this transaction the first one. Refused with kAccessDenied when there is
  /// one.
  static Piece SetUp(const Account& account);
  /// Sets another password and ends all sessions that began before. Refused with kNotFound when
  /// there is no such account.
  static Piece ResetPassword(std::string_view id, std::string_view password_hash);
  // Those below are refused with kAccountDeleting when the account is being deleted, or is gone.

  /// Disabling ends all sessions that began before. REQUIRES: something is to change.
  static Piece SetStanding(std::string_view id, const StandingChange& change);
  /// Changes nothing. For whatever takes an administrator away: the one who does it is one and
  /// stays one, so of any number who do that to each other at once, one is left. Refused with
  /// kAdministratorNoMore.
  static Piece CheckAdministrator(std::string_view id);
  static Piece SetProfile(std::string_view id, const ProfileChange& change);
  /// Nothing takes them away. Refused as SetProfile.
  static Piece SetAiOptions(std::string_view id, const std::optional<std::string>& options);
  /// Changes nothing.
  static Piece CheckStays(std::string_view id);
  /// Uses up that somebody vouched for the email. Refused with `refusal` when nobody did, or it was
  /// used up.
  static Piece SpendVouch(std::string_view id, Error refusal);
  /// The same, if somebody did.
  static Piece DropVouch(std::string_view id);

  /// The profile picture from now on, by the SHA-256 of what is stored; nothing: there is none. One
  /// change after the other: refused with kPictureChanged when the revision is not `seen` any more,
  /// and when the account is being deleted, or is gone.
  static Piece SetPicture(std::string_view id, int64_t seen,
                          const std::optional<std::string>& sha256);

  /// Disables the account for good. That it is being deleted already is fine. Refused with
  /// kNotFound when there is no such account.
  static Piece MarkDeleting(std::string_view id);
  /// The same for an account that is no administrator's. Refused with kIsAdministrator when it is,
  /// and when there is none.
  static Piece MarkDeletingUser(std::string_view id);
  /// Removes the account and frees its names. That it is gone already is fine.
  static Pieces Remove(const Account& account);

  /// Another password in place of the one with the hash `from`, and all sessions that began before
  /// end. Refused with kPasswordChanged when `from` is not the hash any more.
  static Piece ChangePassword(std::string_view id, std::string_view from, std::string_view to);
  /// The same password in another hash. Refused with kPasswordChanged when `from` is not the hash
  /// any more.
  static Piece ReplaceHash(std::string_view id, std::string_view from, std::string_view to);

 private:
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::identity
