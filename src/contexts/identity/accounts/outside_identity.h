#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tintype::contexts::identity {

/// Somebody as another issuer knows them, who signs in to an account here.
struct OutsideIdentity {
  std::string id;  // Of the two below; for links, not for people.
  std::string issuer;
  std::string subject;
  std::string account_id;
  /// As the issuer had it when it was linked, for the owner to recognise it.
  std::optional<std::string> email;
  int64_t created_ms = 0;
};

}  // namespace tintype::contexts::identity
