#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "crypto/public_key.h"

namespace tintype::oidc {

/// The kind that a header's or a key's `alg` names; nothing for any other, `none` among them.
std::optional<crypto::SignatureKind> SignatureKindOf(std::string_view algorithm);

/// A key with which an issuer signs tokens.
struct IssuerKey {
  std::string id;  // `kid`; empty when it has none.
  /// The one kind that it is for, if it says so.
  std::optional<crypto::SignatureKind> only;
  crypto::PublicKey key;

  bool Fits(crypto::SignatureKind kind) const { return key.Fits(kind) && (!only || *only == kind); }
};

/// How many keys an issuer may have.
inline constexpr size_t kKeysMax = 100;

/// The keys of a JWKS document (RFC 7517) that can check tokens. Those of other types, for other
/// uses, and bad ones are left out: an issuer may have keys for others as well. Errors:
/// kIssuerUnavailable for what is no such document, or has too many.
Result<std::vector<IssuerKey>> ParseJwks(std::string_view document);

}  // namespace tintype::oidc
