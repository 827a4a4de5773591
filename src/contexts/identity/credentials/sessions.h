#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "contexts/common/item.h"
#include "contexts/common/secrets.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/account.h"
#include "contexts/identity/credentials/secret_token.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::identity {

struct SessionsConfig {
  /// How long a session lasts that nobody uses.
  std::chrono::hours kept{24 * 30};
  /// How long a session lasts, however much it is used.
  std::chrono::hours age_max{24 * 90};
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

/// Where a session is used, as its owner recognises it in a list.
struct SessionUse {
  std::string address;     // The client's, without a port.
  std::string user_agent;  // As the client calls itself; cut where it is longer than is kept.
};

/// A session as its owner sees it.
struct ListedSession {
  std::string id;
  int64_t created_ms = 0;
  int64_t last_used_ms = 0;
  int64_t ends_ms = 0;
  SessionUse use;
};

/// Who is logged in: sessions in the table tintype. A refresh token is used once; anyone who
/// presents one that was replaced a while ago has stolen it, or was stolen from, and the session
/// ends. The next token follows from the last one by a secret key, so that a client that asks
/// twice, because an answer got lost or two of its windows are open, gets the same one twice. Only
/// hashes of tokens are stored. Sessions of an account are listed by the index, which on other
/// services may be a moment behind. Thread-safe.
class Sessions {
 public:
  Sessions(SessionsConfig config, const Key256& key, tables::Database& database,
           const Clock& clock);

  /// `account` is as it was when its owner was recognised: if the password is reset meanwhile, the
  /// session is one of those that end by it.
  Result<Session> Begin(const Account& account, const SessionUse& use);
  /// Replaces the token. Errors: kAccessDenied when it is not one, or has been replaced.
  Result<Session> Refresh(std::string_view refresh_token, const SessionUse& use);
  /// When somebody signed in for it. Errors: kNotLoggedIn when it has ended.
  Result<int64_t> BeganAt(std::string_view session_id);
  /// That there is none is fine.
  Status EndById(std::string_view session_id);

  /// The sessions of an account, newest first. Those from before sessions were listed are missing
  /// until they are refreshed.
  Result<std::vector<ListedSession>> List(const Account& account);
  /// Errors: kNotFound when the account has no such session.
  Status End(const Account& account, std::string_view session_id);
  /// Ends all sessions of an account but `except`, which may be empty.
  Status EndAll(std::string_view account_id, std::string_view except);

  /// Keeps a session when all others of its account end by a new generation. Refused with
  /// kNotLoggedIn when it has ended.
  static Piece KeepIn(std::string_view session_id, int64_t generation);

  // For LiveCallers, which looks at sessions and accounts together.

  static tables::Item KeyOf(std::string_view session_id);
  /// Whether the session of this item is one of the account, and has not ended.
  static bool IsLive(const ItemReader& session, const Account& account, int64_t now_ms);

 private:
  /// Writes that `next` is the token now, in place of the one with `current_hash`.
  /// kConditionFailed when that is not the token any more.
  Status Replace(const SecretToken& next, std::string_view current_hash, const ItemReader& session,
                 const SessionUse& use);
  SecretToken NextToken(const SecretToken& token) const;
  /// When a session expires that is used now, and ends at `ends_ms` at the latest.
  int64_t ExpirySeconds(int64_t ends_ms) const;
  Result<std::vector<tables::Item>> ListItems(std::string_view account_id);

  const SessionsConfig config_;
  const Key256 key_;
  tables::BlockingDatabase database_;
  const Clock& clock_;
};

}  // namespace tintype::contexts::identity
