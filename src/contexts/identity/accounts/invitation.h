#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tintype::contexts::identity {

/// Leave for one person to make an account, without its secret.
struct Invitation {
  std::string id;
  std::optional<std::string> email;  // Only this address may sign up by it.
  bool administrator = false;        // What the account becomes.
  std::string created_by;  // The id of the account that made it; empty for the command line.
  int64_t created_ms = 0;
  int64_t expires_ms = 0;
};

struct CreatedInvitation {
  Invitation invitation;
  std::string token;  // For whom it is meant.
};

}  // namespace tintype::contexts::identity
