#include "base/ip_address.h"

#include <arpa/inet.h>

#include <algorithm>

#include "base/numbers.h"
#include "base/strings.h"

namespace tintype {
namespace {

constexpr std::array<uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
constexpr int kMappedBits = 96;

}  // namespace

std::optional<IpAddress> IpAddress::Parse(std::string_view text) {
  // Longer than any address; and inet_pton wants an end that a view does not have.
  if (text.size() >= INET6_ADDRSTRLEN || text.find('\0') != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string copy(text);
  std::array<uint8_t, 16> bytes{};
  if (::inet_pton(AF_INET6, copy.c_str(), bytes.data()) == 1) {
    return IpAddress(bytes);
  }
  std::ranges::copy(kMappedPrefix, bytes.begin());
  if (::inet_pton(AF_INET, copy.c_str(), bytes.data() + kMappedPrefix.size()) == 1) {
    return IpAddress(bytes);
  }
  return std::nullopt;
}

bool IpAddress::is_v4() const {
  return std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), bytes_.begin());
}

bool IpAddress::IsLoopback() const {
  if (is_v4()) {
    return bytes_[kMappedPrefix.size()] == 127;
  }
  return std::all_of(bytes_.begin(), bytes_.end() - 1, [](uint8_t byte) { return byte == 0; }) &&
         bytes_.back() == 1;
}

std::string IpAddress::text() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* const from = is_v4() ? bytes_.data() + kMappedPrefix.size() : bytes_.data();
  ::inet_ntop(is_v4() ? AF_INET : AF_INET6, from, text.data(), text.size());
  return text.data();
}

IpAddress IpAddress::Masked(int bits) const {
  const int kept = is_v4() ? kMappedBits + bits : bits;
  IpAddress masked = *this;
  for (int i = 0; i < 16; ++i) {
    const int of_byte = std::clamp(kept - 8 * i, 0, 8);
    masked.bytes_[static_cast<size_t>(i)] &= static_cast<uint8_t>(0xFF << (8 - of_byte));
  }
  return masked;
}

std::optional<IpNetwork> IpNetwork::Parse(std::string_view text) {
  const size_t slash = std::min(text.find('/'), text.size());
  const std::optional<IpAddress> address = IpAddress::Parse(text.substr(0, slash));
  if (!address) {
    return std::nullopt;
  }
  const int bits_max = address->is_v4() ? 32 : 128;
  if (slash == text.size()) {
    return IpNetwork(*address, bits_max);
  }
  const std::optional<int> bits = ParseDigits<int>(text.substr(slash + 1));
  // A network that is not written as one is a typing error, and would hold more than it seems to.
  if (!bits || *bits > bits_max || address->Masked(*bits) != *address) {
    return std::nullopt;
  }
  return IpNetwork(*address, *bits);
}

bool IpNetwork::Contains(const IpAddress& address) const {
  return address.is_v4() == address_.is_v4() && address.Masked(bits_) == address_;
}

std::string IpNetwork::text() const { return StrCat(address_.text(), "/", bits_); }

}  // namespace tintype
