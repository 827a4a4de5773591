#include "http/server/internal/client_shares.h"

namespace tintype::http::internal {
namespace {

IpAddress KeyOf(const IpAddress& client) {
  constexpr int kSubscriberBits = 64;
  return client.is_v4() ? client : client.Masked(kSubscriberBits);
}

bool Exceeds(size_t used, size_t limit) { return limit > 0 && used > limit; }

}  // namespace

ClientLimits ClientShares::LimitsOf(const IpAddress& client) const {
  if (config_.proxies.Trusts(client)) {
    return {};  // It speaks for many, and its operator has limits there.
  }
  return client.IsLoopback() ? config_.loopback_limits : config_.client_limits;
}

bool ClientShares::AddConnection(const IpAddress& client) {
  const ClientLimits limits = LimitsOf(client);
  const MutexLock lock(mutex_);
  const auto [entry, is_new] = shares_.try_emplace(KeyOf(client));
  if (Exceeds(entry->second.connections + 1, limits.connections_max)) {
    connections_refused_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  ++entry->second.connections;
  return true;
}

void ClientShares::RemoveConnection(const IpAddress& client) {
  const MutexLock lock(mutex_);
  --shares_[KeyOf(client)].connections;
  Forget(KeyOf(client));
}

bool ClientShares::AddBody(const IpAddress& client, size_t bytes) {
  const ClientLimits limits = LimitsOf(client);
  const MutexLock lock(mutex_);
  Share& share = shares_[KeyOf(client)];
  share.body_bytes += bytes;
  // One body is always taken, as long as the server takes it.
  if (share.body_bytes > bytes && Exceeds(share.body_bytes, limits.body_bytes_max)) {
    bodies_refused_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  return true;
}

void ClientShares::RemoveBody(const IpAddress& client, size_t bytes) {
  const MutexLock lock(mutex_);
  shares_[KeyOf(client)].body_bytes -= bytes;
  Forget(KeyOf(client));
}

void ClientShares::Forget(const IpAddress& key) {
  const auto entry = shares_.find(key);
  if (entry->second.connections == 0 && entry->second.body_bytes == 0) {
    shares_.erase(entry);
  }
}

}  // namespace tintype::http::internal
