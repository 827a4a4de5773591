#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "contexts/identity/accounts/account.h"
#include "contexts/identity/callers/token_cache.h"
#include "contexts/identity/credentials/key_ring.h"
#include "contexts/identity/credentials/signing_key.h"

namespace tintype::contexts::identity {

struct TokensConfig {
  /// Who says so: `iss`. The server's public address.
  std::string issuer = "http://127.0.0.1:8080";
  /// How long an access token is good for.
  std::chrono::seconds kept{15 * 60};
};

/// Issues and checks access tokens: JWT with ES256, and nothing else. All nodes share the keys
/// (KeyRing, kAccessTokenKeys): one signs, those before it are honoured for as long as what they
/// signed may last. A token whose signature was checked is remembered (TokenCache), so that of a
/// client's requests only the first pays for it. Thread-safe; checking touches no table: a token is
/// good until it expires, though its session end before.
class Tokens {
 public:
  /// Takes the keys of the ring, or makes the first. Errors: those of KeyRing::ReadOrMake.
  static Result<std::unique_ptr<Tokens>> Open(TokensConfig config, KeyRing& ring,
                                              const Clock& clock);
  /// The secret of a new key, for the ring.
  static std::string MakeSecret();

  /// To be called when the keys were read again. Errors: kCorruption.
  Status Take(const RingKeys& keys);

  std::string Issue(const Account& account, std::string_view session_id) const;
  /// Errors: kNotLoggedIn, whatever is wrong with it.
  Result<AccessClaims> Verify(std::string_view token) const;

  /// The public keys as a JWKS document (RFC 7517): those that are honoured, and a new one before
  /// it is used.
  std::string Jwks() const;

  /// How long the tokens of a key that signs no more may be good.
  static std::chrono::seconds LongestOf(const TokensConfig& config);

 private:
  struct Known {
    RingKeys ring;
    std::vector<SigningKey> keys;  // Of the same places in `ring`.
  };
  Tokens(TokensConfig config, const Clock& clock) : config_(std::move(config)), clock_(clock) {}
  std::shared_ptr<const Known> known() const;
  /// What a token with a right signature says. Says nothing about its time.
  Result<AccessClaims> VerifySignature(const Known& keys, std::string_view token) const;

  const TokensConfig config_;
  const Clock& clock_;
  mutable TokenCache verified_;
  mutable Mutex mutex_;
  std::shared_ptr<const Known> known_ GUARDED_BY(mutex_);
};

}  // namespace tintype::contexts::identity
