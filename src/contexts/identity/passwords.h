#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/result.h"

namespace tintype::contexts::identity {

struct PasswordCost {
  /// Of argon2id; the defaults are libsodium's for interactive use: 64 MiB, some tenths of a
  /// second.
  uint64_t operations = 2;
  size_t memory_bytes = size_t{64} << 20;
};

/// As long as the contract has it. Errors: kValidation.
Status CheckPassword(std::string_view password);

/// Hashes passwords with argon2id. Thread-safe. Each call takes PasswordCost::memory_bytes and a
/// good part of a second of a core, which anyone may ask for who reaches the server: so only a few
/// run at once, and more are refused with kOverloaded.
class Passwords {
 public:
  explicit Passwords(PasswordCost cost = {});

  /// Errors: kOverloaded; kUnavailable when there is not enough memory.
  Result<std::string> Hash(std::string_view password) const;
  /// Takes as long for a wrong password as for the right one.
  Result<bool> Verify(std::string_view hash, std::string_view password) const;
  /// Takes as long as Verify, for an account that there is not: nobody learns who has one.
  Status PretendToVerify(std::string_view password) const;
  /// Whether a hash was made at another cost, and should be made anew.
  bool IsOutdated(const std::string& hash) const;

 private:
  /// One of the few places, for as long as it lives.
  class Slot;

  const PasswordCost cost_;
  mutable Mutex mutex_;
  mutable size_t running_ GUARDED_BY(mutex_) = 0;
  std::string pretended_;  // The hash of something that nobody knows.
};

}  // namespace tintype::contexts::identity
