#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/recent_cache.h"
#include "contexts/identity/accounts/account.h"

namespace tintype::contexts::identity {

/// What an access token says.
struct AccessClaims {
  Account account;
  std::string session_id;
  int64_t issued_s = 0;
  int64_t expires_s = 0;
};

/// Tokens whose signature was found right, with what they say: a signature takes a hundred times as
/// long to check as to look up. Facts remembered of a token never change, since the token itself
/// says them; whether it has expired is for the caller to decide each time. So a remembered token
/// is good for exactly as long as one that is checked anew. Tokens are kept as hashes. Bounded
/// (RecentCache). Thread-safe; nothing survives it.
class TokenCache {
 public:
  /// Default 20,000 tokens, of some 400 bytes each. At least 2.
  explicit TokenCache(size_t tokens_max = 20'000) : claims_(tokens_max) {}

  std::optional<AccessClaims> Find(std::string_view token);
  void Add(std::string_view token, const AccessClaims& claims);
  /// To be called when a key is no longer honoured.
  void Clear() { claims_.Clear(); }
  size_t size() const { return claims_.size(); }

 private:
  RecentCache<AccessClaims> claims_;
};

}  // namespace tintype::contexts::identity
