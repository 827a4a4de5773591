#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::contexts::identity {

/// A key pair for ES256: ECDSA on P-256 with SHA-256 (RFC 7518). Thread-safe; copies share the key.
class SigningKey {
 public:
  static SigningKey Generate();
  /// From Serialize. Errors: kCorruption.
  static Result<SigningKey> Parse(std::string_view serialized);
  /// The private key, to be sealed.
  std::string Serialize() const;

  /// The key's name in tokens: its thumbprint (RFC 7638).
  const std::string& id() const { return id_; }
  /// As an entry of a JWKS document: the public key.
  std::string PublicJwk() const;

  /// 64 bytes: r and s, as tokens have them.
  std::string Sign(std::string_view text) const;
  bool Verify(std::string_view text, std::string_view signature) const;

 private:
  struct State;
  explicit SigningKey(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
  std::string id_;
};

}  // namespace tintype::contexts::identity
