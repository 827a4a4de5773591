#include "contexts/identity/token_cache.h"

#include <utility>

#include "crypto/digest.h"

namespace tintype::contexts::identity {
namespace {

std::string HashOfToken(std::string_view token) {
  return std::string(crypto::Bytes(crypto::Sha256(token)));
}

}  // namespace

std::optional<AccessClaims> TokenCache::Find(std::string_view token) {
  std::string hash = HashOfToken(token);
  const MutexLock lock(mutex_);
  if (const auto found = younger_.find(hash); found != younger_.end()) {
    return found->second;
  }
  const auto found = older_.find(hash);
  if (found == older_.end()) {
    return std::nullopt;
  }
  const AccessClaims claims = std::move(found->second);
  older_.erase(found);
  AddToYounger(std::move(hash), claims);
  return claims;
}

void TokenCache::Add(std::string_view token, const AccessClaims& claims) {
  std::string hash = HashOfToken(token);
  const MutexLock lock(mutex_);
  AddToYounger(std::move(hash), claims);
}

void TokenCache::AddToYounger(std::string hash, const AccessClaims& claims) {
  if (younger_.size() >= generation_max_) {
    older_ = std::exchange(younger_, {});
  }
  younger_.insert_or_assign(std::move(hash), claims);
}

size_t TokenCache::size() const {
  const MutexLock lock(mutex_);
  return younger_.size() + older_.size();
}

}  // namespace tintype::contexts::identity
