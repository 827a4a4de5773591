#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

#include "base/ip_address.h"
#include "base/mutex.h"
#include "http/server/server.h"

namespace tintype::http::internal {

/// What each client takes of a server: connections, and memory for bodies that are being received.
/// A client is an IPv4 address or the 64 bits of an IPv6 network, since that is the least that a
/// subscriber gets. Remembers only those who have something, so that connections bound its size.
/// Thread-safe.
class ClientShares {
 public:
  explicit ClientShares(const ServerConfig& config) : config_(config) {}

  /// Counts a connection. False, without counting it, when the client has as many as it may.
  bool AddConnection(const IpAddress& client);
  void RemoveConnection(const IpAddress& client);

  /// Counts bytes of a body; they are to be removed whatever the answer is. False when the client
  /// has more than it may.
  bool AddBody(const IpAddress& client, size_t bytes);
  void RemoveBody(const IpAddress& client, size_t bytes);

  uint64_t connections_refused() const { return connections_refused_; }
  uint64_t bodies_refused() const { return bodies_refused_; }

 private:
  struct Share {
    size_t connections = 0;
    size_t body_bytes = 0;
  };

  ClientLimits LimitsOf(const IpAddress& client) const;
  void Forget(const IpAddress& key) REQUIRES_LOCK(mutex_);

  const ServerConfig& config_;
  std::atomic<uint64_t> connections_refused_ = 0;
  std::atomic<uint64_t> bodies_refused_ = 0;
  Mutex mutex_;
  std::map<IpAddress, Share> shares_ GUARDED_BY(mutex_);
};

}  // namespace tintype::http::internal
