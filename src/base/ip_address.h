#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tintype {

/// An IPv4 or IPv6 address. An IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`) is the
/// IPv4 address: a listener on `::` sees its IPv4 clients that way, and one client must not have
/// two names. Zones (`fe80::1%eth0`) are not told apart.
class IpAddress {
 public:
  /// `::`, which nobody connects from.
  IpAddress() = default;

  /// Reads `192.0.2.1` or `2001:db8::1`, without brackets or a port. Nothing for anything else.
  static std::optional<IpAddress> Parse(std::string_view text);
  /// From the 16 bytes of an IPv6 address.
  static IpAddress FromBytes(const std::array<uint8_t, 16>& bytes) { return IpAddress(bytes); }

  bool is_v4() const;
  bool IsLoopback() const;
  /// In its one usual form.
  std::string text() const;

  /// The address with all but its first `bits` zero. REQUIRES: `bits` is at most 32 for an IPv4
  /// address, and at most 128 for others.
  IpAddress Masked(int bits) const;

  bool operator==(const IpAddress& other) const = default;
  std::strong_ordering operator<=>(const IpAddress& other) const = default;

 private:
  explicit IpAddress(const std::array<uint8_t, 16>& bytes) : bytes_(bytes) {}

  std::array<uint8_t, 16> bytes_{};  // IPv4 addresses as IPv6 has them, ::ffff:a.b.c.d.
};

/// A range of addresses, such as 10.0.0.0/8.
class IpNetwork {
 public:
  /// Reads `10.0.0.0/8`, `2001:db8::/32`, or an address alone, which is a network of one. Nothing
  /// for anything else, such as bits of the address behind its mask.
  static std::optional<IpNetwork> Parse(std::string_view text);

  bool Contains(const IpAddress& address) const;
  std::string text() const;

 private:
  IpNetwork(const IpAddress& address, int bits) : address_(address), bits_(bits) {}

  IpAddress address_;
  int bits_;
};

}  // namespace tintype
