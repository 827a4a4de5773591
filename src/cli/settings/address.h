#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::cli {

/// Where a listener binds. Port 0 lets the system pick a free one.
struct Address {
  std::string host;  // An IPv4 or IPv6 address, without brackets.
  uint16_t port = 0;

  /// Whether only this machine can connect to it.
  bool IsLoopback() const;
  /// Whether it listens on every address of the machine.
  bool IsAny() const;
  /// As ParseAddress reads it.
  std::string text() const;
};

/// Reads `HOST:PORT`. The host is an IPv4 address, an IPv6 address in brackets as in `[::1]:8000`,
/// or `localhost`, which means 127.0.0.1; other names are refused, since they may come to resolve
/// to another address.
Result<Address> ParseAddress(std::string_view text);

}  // namespace tintype::cli
