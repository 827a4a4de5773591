#pragma once

#include <cstddef>
#include <string>

#include "crypto/secret_key.h"

namespace tintype::tables::engine {

constexpr size_t kFingerprintBytes = 8;

/// What a master key is called in files; nothing about the key follows from it.
std::string FingerprintBytes(const crypto::SecretKey& master);

/// The same in messages, in hexadecimal digits.
std::string Fingerprint(const crypto::SecretKey& master);

}  // namespace tintype::tables::engine
