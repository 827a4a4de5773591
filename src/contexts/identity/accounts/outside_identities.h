#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/account.h"
#include "contexts/identity/accounts/outside_identity.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::identity {

/// Owns the outside identities in the table tintype: `IDENTITY#id`, where the id is a hash of
/// issuer and subject, so that each leads to one account. Thread-safe; keeps nothing.
class OutsideIdentities {
 public:
  /// How many an account may have.
  static constexpr size_t kIdentitiesMax = 20;

  explicit OutsideIdentities(tables::Database& database) : database_(database) {}

  static std::string IdOf(std::string_view issuer, std::string_view subject);
  // For LiveCallers, which looks at identities and accounts together.
  static tables::Item KeyOf(std::string_view id);

  Result<std::optional<OutsideIdentity>> Find(std::string_view issuer, std::string_view subject);
  /// In the order in which they were linked. One just written may be missing on other services.
  Result<std::vector<OutsideIdentity>> List(std::string_view account_id);
  /// Refused with kIdentityTaken when it leads to an account already. Its `id` need not be set.
  static Piece Link(const OutsideIdentity& identity);
  /// Refused with kNotFound when it leads to no account, or to another one.
  static Piece Unlink(std::string_view account_id, std::string_view id);
  /// Changes nothing. Refused with `refusal` when it does not lead to the account.
  static Piece CheckLinked(const OutsideIdentity& identity, Error refusal);
  /// Removes one that leads to an account which is gone. That it is gone too is fine. Refused with
  /// kIdentityTaken when it leads to another account now.
  static Piece Forget(const OutsideIdentity& identity);

 private:
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::identity
