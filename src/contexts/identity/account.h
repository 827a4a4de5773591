#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tintype::contexts::identity {

/// Who someone is to this server.
struct Account {
  std::string id;        // A ULID, for life: `userId` in every table.
  std::string email;     // Verified, in lower case: the key of Sparks' items.
  std::string username;  // Unique and immutable: the key of `photos`.
  bool administrator = false;
  int64_t created_ms = 0;
  /// Raised when all sessions of the account end at once: those that began before have a lower one.
  int64_t session_generation = 0;
  /// What people call themselves. Nothing: the username.
  std::optional<std::string> display_name = {};
  /// Nobody can sign in; everything stays.
  bool disabled = false;
  /// Everything of it is being removed, and in the end the account.
  bool deleting = false;
};

}  // namespace tintype::contexts::identity
