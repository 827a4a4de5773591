#include "cli/settings/address.h"

#include <arpa/inet.h>

#include "base/numbers.h"
#include "base/strings.h"

namespace tintype::cli {

bool Address::IsLoopback() const {
  in_addr v4{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) {
    return (ntohl(v4.s_addr) >> 24) == 127;
  }
  in6_addr v6{};
  return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6) != 0;
}

bool Address::IsAny() const {
  in_addr v4{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) {
    return v4.s_addr == htonl(INADDR_ANY);
  }
  in6_addr v6{};
  return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_UNSPECIFIED(&v6) != 0;
}

std::string Address::text() const {
  const bool v6 = host.find(':') != std::string::npos;
  return StrCat(v6 ? "[" : "", host, v6 ? "]:" : ":", port);
}

Result<Address> ParseAddress(std::string_view text) {
  const auto invalid = [text] {
    return Error::Validation(StrCat("'", text, "' is not HOST:PORT"));
  };
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return invalid();
  }
  Address address;
  const auto port = ParseDigits<uint16_t>(text.substr(colon + 1));
  if (!port) {
    return invalid();
  }
  address.port = *port;
  address.host = text.substr(0, colon);
  int family = AF_INET;
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
    family = AF_INET6;
  } else if (address.host == "localhost") {
    address.host = "127.0.0.1";
  }
  in6_addr large_enough{};
  if (::inet_pton(family, address.host.c_str(), &large_enough) != 1) {
    return invalid();
  }
  return address;
}

}  // namespace tintype::cli
