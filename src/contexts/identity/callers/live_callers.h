#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/recent_cache.h"
#include "base/result.h"
#include "contexts/identity/accounts/account.h"
#include "contexts/identity/accounts/outside_identities.h"
#include "contexts/identity/credentials/api_keys.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::identity {

/// The caller of a request, as the tables have them now.
struct LiveCaller {
  Account account;
  std::vector<std::string> scopes;  // Of an API key.
};

/// Whether the session or the API key of a request is still good, and what its account is now. Asks
/// the tables, and remembers a good answer for kKnownMs: with what a request takes, whatever ended
/// stops working within a second, on every node. Refusals are not remembered. Bounded. Thread-safe;
/// may block.
class LiveCallers {
 public:
  static constexpr int64_t kKnownMs = 500;

  /// Keeps references to all of them.
  LiveCallers(tables::Database& database, ApiKeys& api_keys, const Clock& clock)
      : database_(database), identities_(database), api_keys_(api_keys), clock_(clock) {}

  /// Errors: kNotLoggedIn when the session has ended, or its account is disabled or gone.
  Result<LiveCaller> OfSession(std::string_view session_id, std::string_view account_id);
  /// The same for the text of an API key.
  Result<LiveCaller> OfApiKey(std::string_view text);
  /// The same for somebody whom another issuer vouches for. Nothing when no account is theirs: that
  /// is not remembered either.
  Result<std::optional<LiveCaller>> OfIdentity(std::string_view issuer, std::string_view subject);

  /// Something ended by this node: the next to ask is told what the tables say.
  void Forget() { known_.Clear(); }

 private:
  struct Known {
    LiveCaller caller;
    int64_t asked_ms = 0;
  };
  /// What is known well enough under that name.
  std::optional<LiveCaller> FindKnown(const std::string& name);
  Result<LiveCaller> AskForSession(std::string_view session_id, std::string_view account_id);
  Result<LiveCaller> AskForApiKey(std::string_view text);
  Result<std::optional<LiveCaller>> AskForIdentity(std::string_view issuer,
                                                   std::string_view subject);
  Result<std::optional<Account>> FindAccount(std::string_view account_id);

  tables::BlockingDatabase database_;
  OutsideIdentities identities_;
  ApiKeys& api_keys_;
  const Clock& clock_;
  RecentCache<Known> known_{20'000};
};

}  // namespace tintype::contexts::identity
