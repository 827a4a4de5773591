#pragma once

#include <string>
#include <string_view>

namespace tintype::contexts::identity {

/// Where a client is, as far as throttles tell clients apart: a person has one address of IPv4, but
/// 2^64 of IPv6. Behind a proxy that is not trusted, all clients share the proxy's network.
struct Network {
  std::string near;  ///< The address itself of IPv4, the /64 of IPv6.
  std::string wide;  ///< The /24 of IPv4, the /48 of IPv6, which one customer may have as a whole.
};

/// The network of an address without a port. An IPv4 address that is written as IPv6
/// (`::ffff:192.0.2.7`) is one of IPv4. Text that is no address is a network of its own.
Network NetworkOf(std::string_view address);

}  // namespace tintype::contexts::identity
