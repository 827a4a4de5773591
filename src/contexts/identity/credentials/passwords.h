#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/common/secrets.h"
#include "contexts/identity/throttling/hashing_queue.h"

namespace tintype::contexts::identity {

struct PasswordCost {
  /// Of argon2id; the defaults are libsodium's for interactive use: 64 MiB, some tenths of a
  /// second.
  uint64_t operations = 2;
  size_t memory_bytes = size_t{64} << 20;
};

/// As long as the contract has it. Errors: kValidation.
Status CheckPassword(std::string_view password);

/// A hash that was made without the key, as Passwords hands hashes out that has it.
std::string SealPasswordHash(const Key256& sealing_key, std::string_view hash);

/// Hashes passwords with argon2id. Thread-safe. Each call takes PasswordCost::memory_bytes and a
/// good part of a second of a core, which anyone who reaches the server may ask for: so only a few
/// run at once, others wait for their turn (HashingQueue), and the rest are refused. Since they
/// wait on the thread that calls, that has to be one that others can spare.
///
/// With a sealing key, hashes are handed out sealed: somebody who gets at the accounts without the
/// server's secret cannot try passwords on them. Others are taken as well, and are outdated.
class Passwords {
 public:
  explicit Passwords(PasswordCost cost = {}, std::optional<Key256> sealing_key = std::nullopt);
  Passwords(PasswordCost cost, const HashingQueueConfig& queue,
            std::optional<Key256> sealing_key = std::nullopt);

  /// Errors: those of HashingQueue::Enter; kUnavailable when there is not enough memory.
  Result<std::string> Hash(std::string_view password, const HashingTurn& turn = {}) const;
  /// Takes as long for a wrong password as for the right one.
  Result<bool> Verify(std::string_view hash, std::string_view password,
                      const HashingTurn& turn = {}) const;
  /// Takes as long as Verify, for an account that there is not: nobody learns who has one.
  Status PretendToVerify(std::string_view password, const HashingTurn& turn = {}) const;
  /// Whether a hash was made at another cost or is not sealed though it could be, and should be
  /// made anew.
  bool IsOutdated(const std::string& hash) const;

 private:
  /// As argon2id has it. REQUIRES: a place in the queue.
  Result<std::string> HashUnsealed(std::string_view password) const;
  /// What is sealed in a hash, or the hash itself; empty for one of another key.
  std::string Opened(std::string_view hash) const;

  const PasswordCost cost_;
  const std::optional<Key256> sealing_key_;
  mutable HashingQueue queue_;
  std::string pretended_;  // The hash of something that nobody knows.
};

}  // namespace tintype::contexts::identity
