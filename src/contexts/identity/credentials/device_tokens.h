#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "contexts/common/secrets.h"

namespace tintype::contexts::identity {

/// A browser or program in which an account has logged in before.
struct Device {
  std::string account_id;
  std::string id;  // Of the session in which it was first seen.
};

/// Signs and reads device tokens: a successful login gives one, and anyone who presents it was here
/// before, and cannot be kept out by strangers. It opens nothing, so it is not stored and cannot be
/// revoked: a stolen one buys its account's share of attempts at the password, slowly. Thread-safe.
class DeviceTokens {
 public:
  static constexpr std::chrono::hours kKept{24 * 180};

  DeviceTokens(const Key256& key, const Clock& clock) : key_(key), clock_(clock) {}

  std::string Issue(const Device& device) const;
  /// Nothing for a token that this server did not sign, or that has expired.
  std::optional<Device> Read(std::string_view token) const;

 private:
  std::string Sign(std::string_view text) const;

  const Key256 key_;
  const Clock& clock_;
};

}  // namespace tintype::contexts::identity
