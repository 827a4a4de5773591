#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"

namespace tintype::crypto {

/// How a text is signed, by the names of RFC 7518. Nothing else is ever accepted.
enum class SignatureKind {
  kRs256,  ///< RSASSA-PKCS1-v1_5 with SHA-256.
  kPs256,  ///< RSASSA-PSS with SHA-256, its salt as long as the digest.
  kEs256,  ///< ECDSA on P-256 with SHA-256; r and s of 32 bytes each.
};

/// The public half of somebody's key pair, to check signatures with. Thread-safe; copies share it.
class PublicKey {
 public:
  /// From numbers as bytes, the highest first. Errors: kValidation for a modulus that has not 2048
  /// to 8192 bits, and for an exponent that is even, 1 or longer than 8 bytes.
  static Result<PublicKey> Rsa(std::string_view modulus, std::string_view exponent);
  /// From coordinates of 32 bytes. Errors: kValidation when the point is not on the curve.
  static Result<PublicKey> P256(std::string_view x, std::string_view y);

  /// Whether the key can make signatures of that kind.
  bool Fits(SignatureKind kind) const;
  /// False too when it does not fit.
  bool Verify(SignatureKind kind, std::string_view text, std::string_view signature) const;

 private:
  struct State;
  explicit PublicKey(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

}  // namespace tintype::crypto
