#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "contexts/common/secrets.h"
#include "contexts/identity/account.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::identity {

struct SessionsConfig {
  /// How long a session lasts that nobody uses.
  std::chrono::hours kept{24 * 30};
  /// How long the last token still works after it was replaced, because the answer with the new one
  /// may have been lost.
  std::chrono::seconds grace{30};
};

/// A session, and the token that goes on with it.
struct Session {
  std::string id;
  std::string account_id;
  std::string refresh_token;
  /// The account's when it began. It has ended since if the account's is another.
  int64_t generation = 0;
};

/// Who is logged in: sessions in the table tintype. A refresh token is used once; whoever presents
/// one that was replaced a while ago has stolen it, or was stolen from, and the session ends. The
/// next token follows from the last one by a secret key, so that a client that asks twice, because
/// an answer got lost or two of its windows are open, gets the same one twice. Only hashes of
/// tokens are stored. Thread-safe.
class Sessions {
 public:
  Sessions(SessionsConfig config, const Key256& key, tables::Database& database,
           const Clock& clock);

  /// `account` is as it was when its owner was recognised: if the password is reset meanwhile, the
  /// session is one of those that end by it.
  Result<Session> Begin(const Account& account);
  /// Replaces the token. Errors: kAccessDenied when it is not one, or has been replaced.
  Result<Session> Refresh(std::string_view refresh_token);
  /// That there is none is fine.
  Status EndById(std::string_view session_id);

 private:
  /// Writes that `secret` is the token now, in place of the one with `current_hash`.
  /// kConditionFailed when that is not the token any more.
  Status Replace(std::string_view session_id, std::string_view current_hash,
                 std::string_view secret);
  std::string NextSecret(std::string_view session_id, std::string_view secret) const;
  int64_t ExpirySeconds() const;

  const SessionsConfig config_;
  const Key256 key_;
  tables::BlockingDatabase database_;
  const Clock& clock_;
};

}  // namespace tintype::contexts::identity
