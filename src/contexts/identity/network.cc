#include "contexts/identity/network.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/strings.h"

namespace tintype::contexts::identity {
namespace {

constexpr size_t kBytesV4 = 4;
constexpr size_t kBytesV6 = 16;

/// The first `kept` bytes of an address with zeros behind them, as `192.0.2.0/24`.
std::string Masked(int family, std::span<const unsigned char> address, size_t kept) {
  std::array<unsigned char, kBytesV6> masked{};
  std::copy_n(address.begin(), kept, masked.begin());
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(family, masked.data(), text.data(), text.size());
  return StrCat(text.data(), "/", 8 * kept);
}

bool IsMappedV4(const std::array<unsigned char, kBytesV6>& address) {
  constexpr std::array<unsigned char, 12> kPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::ranges::equal(kPrefix, std::span(address).first(kPrefix.size()));
}

Network NetworkOfV4(std::span<const unsigned char> address) {
  return {Masked(AF_INET, address, 4), Masked(AF_INET, address, 3)};
}

}  // namespace

Network NetworkOf(std::string_view address) {
  // Longer than any address; and a link-local address may name its interface behind a `%`.
  constexpr size_t kTextMax = 64;
  const std::string text(address.substr(0, std::min(address.find('%'), kTextMax)));
  std::array<unsigned char, kBytesV6> bytes{};
  if (::inet_pton(AF_INET, text.c_str(), bytes.data()) == 1) {
    return NetworkOfV4(std::span(bytes).first(kBytesV4));
  }
  if (::inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) {
    return IsMappedV4(bytes) ? NetworkOfV4(std::span(bytes).last(kBytesV4))
                             : Network{Masked(AF_INET6, bytes, 8), Masked(AF_INET6, bytes, 6)};
  }
  return {text, text};
}

}  // namespace tintype::contexts::identity
