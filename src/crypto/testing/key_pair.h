#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "crypto/public_key.h"

namespace tintype::crypto::testing {

/// A key pair of somebody else, for tests: PublicKey checks what it signs.
class KeyPair {
 public:
  /// For RS256 and PS256.
  static KeyPair Rsa();
  /// For ES256.
  static KeyPair P256();

  /// REQUIRES: the kind fits the key.
  std::string Sign(SignatureKind kind, std::string_view text) const;
  /// The members of a JWK that are the public key: `kty` and what goes with it.
  std::string JwkMembers() const;

 private:
  struct State;
  explicit KeyPair(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;  // Copies share the key.
};

}  // namespace tintype::crypto::testing
