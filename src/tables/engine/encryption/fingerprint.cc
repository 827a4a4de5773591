#include "tables/engine/encryption/fingerprint.h"

#include "base/hex.h"
#include "crypto/digest.h"

namespace tintype::tables::engine {

std::string FingerprintBytes(const crypto::SecretKey& master) {
  return crypto::HkdfSha256(master.bytes(), /*salt=*/"", "tintype master key fingerprint",
                            kFingerprintBytes);
}

std::string Fingerprint(const crypto::SecretKey& master) { return ToHex(FingerprintBytes(master)); }

}  // namespace tintype::tables::engine
