#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/ip_address.h"
#include "http/server/message.h"

namespace tintype::http {

/// Which header of a trusted proxy tells of the client. A proxy adds to the one that it knows and
/// passes the other on as the client sent it, so that whoever knows the proxy should say which.
enum class ProxyHeader {
  kEither,         ///< X-Forwarded-For, which nearly all proxies write; without it, Forwarded.
  kXForwardedFor,  ///< X-Forwarded-For and X-Forwarded-Proto alone.
  kForwarded,      ///< Forwarded alone (RFC 7239).
};

/// Whom to believe about the clients that they speak for.
struct TrustedProxies {
  /// Default: none; then the headers of proxies mean nothing.
  std::vector<IpNetwork> networks;
  ProxyHeader header = ProxyHeader::kEither;

  bool Trusts(const IpAddress& address) const;
};

/// Where a request comes from.
struct RequestOrigin {
  IpAddress address;
  bool https = false;
};

/// The origin of a request whose connection has the given one. When that is a trusted proxy, its
/// header is read from the right, the end that the nearest proxy wrote: past the addresses of
/// trusted proxies to the first other one, which is the client's. Anybody may have written what
/// stands left of it. Where the header does not go on, or has something else than an address, the
/// last proxy that is known stands for the client; a header that cannot be read as a whole is
/// ignored.
RequestOrigin OriginOf(const Headers& headers, const RequestOrigin& connection,
                       const TrustedProxies& proxies);

}  // namespace tintype::http
