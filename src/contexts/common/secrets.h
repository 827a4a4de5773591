#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/result.h"

/// Keys derived from the server's secret, and what is done with them.
namespace tintype::contexts {

using Key256 = std::array<unsigned char, 32>;

/// Bytes that Seal made, but not with this key for this context; or bytes that were changed since,
/// which cannot be told apart.
inline constexpr Reason kSealedWithAnotherKey{ErrorKind::kCorruption, "SealedWithAnotherKey"};

/// A key for one purpose: HKDF-SHA256 of the server's secret with `label`. Knowing one tells
/// nothing of another.
Key256 DeriveKey(std::string_view secret, std::string_view label);

/// HMAC-SHA256, 32 bytes.
std::string Hmac(const Key256& key, std::string_view text);

/// Encrypts with AES-256-GCM under a fresh nonce. `context` is not stored, but unsealing needs the
/// same: a text sealed for one place is of no use in another.
std::string Seal(const Key256& key, std::string_view context, std::string_view plain);
/// Errors: kSealedWithAnotherKey; kCorruption when it is nothing that Seal makes.
Result<std::string> Unseal(const Key256& key, std::string_view context, std::string_view sealed);

}  // namespace tintype::contexts
