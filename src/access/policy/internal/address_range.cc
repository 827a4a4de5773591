#include "access/policy/internal/address_range.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

#include "base/numbers.h"

namespace tintype::access::internal {
namespace {

constexpr std::array<uint8_t, 12> kMappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

/// As written, without taking mapped addresses for what they stand for.
std::optional<Address> ParseWritten(std::string_view text) {
  std::array<char, INET6_ADDRSTRLEN> terminated{};
  if (text.empty() || text.size() >= terminated.size()) {
    return std::nullopt;
  }
  std::memcpy(terminated.data(), text.data(), text.size());
  Address address;
  address.v6 = text.find(':') != std::string_view::npos;
  const int parsed =
      inet_pton(address.v6 ? AF_INET6 : AF_INET, terminated.data(), address.bytes.data());
  return parsed == 1 ? std::optional(address) : std::nullopt;
}

bool IsMapped(const Address& address) {
  return address.v6 &&
         std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), address.bytes.begin());
}

Address Unmapped(const Address& address) {
  Address v4;
  std::copy(address.bytes.begin() + kMappedPrefix.size(), address.bytes.end(), v4.bytes.begin());
  return v4;
}

}  // namespace

std::optional<Address> ParseAddress(std::string_view text) {
  const std::optional<Address> address = ParseWritten(text.substr(0, text.find('%')));
  return address && IsMapped(*address) ? Unmapped(*address) : address;
}

bool AddressRange::Contains(const Address& address) const {
  if (address.v6 != first.v6) {
    return false;
  }
  const auto whole = static_cast<size_t>(bits / 8);
  if (std::memcmp(address.bytes.data(), first.bytes.data(), whole) != 0) {
    return false;
  }
  const int rest = bits % 8;
  return rest == 0 || ((address.bytes[whole] ^ first.bytes[whole]) >> (8 - rest)) == 0;
}

std::optional<AddressRange> ParseAddressRange(std::string_view text) {
  const size_t slash = text.find('/');
  const std::optional<Address> first = ParseWritten(text.substr(0, slash));
  if (!first) {
    return std::nullopt;
  }
  AddressRange range{*first, first->v6 ? 128 : 32};
  if (slash != std::string_view::npos) {
    const std::optional<int> bits = ParseDigits<int>(text.substr(slash + 1));
    if (!bits || *bits > range.bits) {
      return std::nullopt;
    }
    range.bits = *bits;
  }
  if (IsMapped(*first) && range.bits >= 96) {
    return AddressRange{Unmapped(*first), range.bits - 96};
  }
  return range;
}

}  // namespace tintype::access::internal
