#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "contexts/common/secrets.h"
#include "contexts/identity/account.h"
#include "contexts/identity/signing_key.h"
#include "contexts/identity/token_cache.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::identity {

struct TokensConfig {
  /// Who says so: `iss`. The server's public address.
  std::string issuer = "http://127.0.0.1:8080";
  /// How long an access token is good for.
  std::chrono::seconds kept{15 * 60};
};

/// Issues and checks access tokens: JWT with ES256, and nothing else. The key is made at first
/// start and kept in the table tintype, sealed. A token whose signature was checked is remembered
/// (TokenCache), so that of a client's requests only the first pays for it. Thread-safe; checking
/// touches no table: a token is good until it expires, though its session end before.
class Tokens {
 public:
  /// Reads the key, or makes it. Of several nodes that start at once, one makes it. Errors:
  /// kSealedWithAnotherKey when whoever made it had another sealing key.
  static Result<std::unique_ptr<Tokens>> Open(TokensConfig config, const Key256& sealing_key,
                                              tables::Database& database, const Clock& clock);

  /// Whether the key in the tables, if there is one, was sealed with this key. Writes nothing, also
  /// where there are no tables yet. Errors: kSealedWithAnotherKey.
  static Status CheckSealingKey(const Key256& sealing_key, tables::Database& database);

  std::string Issue(const Account& account, std::string_view session_id) const;
  /// Errors: kNotLoggedIn, whatever is wrong with it.
  Result<AccessClaims> Verify(std::string_view token) const;

  /// The public keys as a JWKS document (RFC 7517).
  std::string Jwks() const;

 private:
  Tokens(TokensConfig config, const Clock& clock, SigningKey key);
  /// What a token says whose signature is right. Says nothing about the time.
  Result<AccessClaims> VerifySignature(std::string_view token) const;

  const TokensConfig config_;
  const Clock& clock_;
  const SigningKey key_;
  mutable TokenCache verified_;
};

}  // namespace tintype::contexts::identity
