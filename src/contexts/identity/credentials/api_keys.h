#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "contexts/identity/accounts/account.h"
#include "contexts/identity/credentials/api_key.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::identity {

/// Owns the API keys in the table tintype: `APIKEY#id`, of which only a hash of the secret is
/// stored. Thread-safe; keeps nothing.
class ApiKeys {
 public:
  /// How many an account may have.
  static constexpr size_t kKeysMax = 50;

  ApiKeys(tables::Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  /// Errors: kTooManyApiKeys.
  Result<CreatedApiKey> Create(const Account& account, const NewApiKey& key);
  /// Newest first, those that have expired included until they vanish.
  Result<std::vector<ApiKey>> List(std::string_view account_id);
  /// Errors: kNotFound when the account has no such key.
  Status Delete(const Account& account, std::string_view id);

  /// The key of that text, if it is one and has not expired. Remembers that it was used. Errors:
  /// kNotLoggedIn.
  Result<ApiKey> Find(std::string_view text);

 private:
  tables::BlockingDatabase database_;
  const Clock& clock_;
};

}  // namespace tintype::contexts::identity
