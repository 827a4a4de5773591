#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/credentials/password_link.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::identity {

/// One-time links by which an account's owner sets another password: `PASSWORDLINK#accountId` in
/// the table tintype, with a hash of the secret. An account has one at the most: making another one
/// ends it. Thread-safe; keeps nothing.
class PasswordLinks {
 public:
  PasswordLinks(tables::Database& database, const Clock& clock)
      : database_(database), clock_(clock) {}

  Result<PasswordLink> Create(std::string_view account_id, int64_t expires_ms);
  /// The account whose link this is. Errors: kInvalidOneTimeLink.
  Result<std::string> FindAccount(std::string_view token);
  /// Uses the link up. Refused with kInvalidOneTimeLink when it is not good any more.
  /// REQUIRES: FindAccount has found the account.
  static Piece Use(std::string_view token);
  /// That there is none is fine.
  static Piece Remove(std::string_view account_id);

 private:
  tables::BlockingDatabase database_;
  const Clock& clock_;
};

}  // namespace tintype::contexts::identity
