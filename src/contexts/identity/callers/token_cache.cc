#include "contexts/identity/callers/token_cache.h"

#include "crypto/digest.h"

namespace tintype::contexts::identity {
namespace {

std::string HashOfToken(std::string_view token) {
  return std::string(crypto::Bytes(crypto::Sha256(token)));
}

}  // namespace

std::optional<AccessClaims> TokenCache::Find(std::string_view token) {
  return claims_.Find(HashOfToken(token));
}

void TokenCache::Add(std::string_view token, const AccessClaims& claims) {
  claims_.Add(HashOfToken(token), claims);
}

}  // namespace tintype::contexts::identity
