#pragma once

#include <cstdint>
#include <string>

namespace tintype::contexts::identity {

/// A one-time link for a password, as it is handed over.
struct PasswordLink {
  std::string token;  // For the account's owner.
  int64_t expires_ms = 0;
};

}  // namespace tintype::contexts::identity
