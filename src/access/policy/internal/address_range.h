#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tintype::access::internal {

/// An IPv4 or IPv6 address.
struct Address {
  bool v6 = false;
  /// Of IPv4 the first four are used.
  std::array<uint8_t, 16> bytes{};
};

/// Nothing for what is no address. An IPv4 address in IPv6's clothes (`::ffff:192.0.2.1`), as
/// sockets for both show it, is the IPv4 address. A zone (`%eth0`) is left out.
std::optional<Address> ParseAddress(std::string_view text);

/// Addresses that begin with the same bits: `203.0.113.0/24`, `2001:db8::/32`, or one address.
struct AddressRange {
  Address first;
  int bits = 0;

  bool Contains(const Address& address) const;
};

/// Nothing for what is no range. Bits after the prefix may be anything.
std::optional<AddressRange> ParseAddressRange(std::string_view text);

}  // namespace tintype::access::internal
