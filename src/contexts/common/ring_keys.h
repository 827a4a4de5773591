#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Secrets that all nodes sign with, and that are replaced one by another.
namespace tintype::contexts {

/// One of the secrets that all nodes sign with.
struct RingKey {
  std::string secret;
  /// From when on it signs; until then the one before does, so that every node has learned of it.
  int64_t used_from_ms = 0;
  /// Until when what it signed is taken. 0: for good.
  int64_t honoured_until_ms = 0;

  bool operator==(const RingKey&) const = default;
};

/// The newest first; never empty.
using RingKeys = std::vector<RingKey>;

/// The place of the key that signs at this moment: the newest that is used already.
size_t SigningPlace(const RingKeys& keys, int64_t now_ms);
/// Whether what this key signed is taken at this moment.
bool IsHonoured(const RingKey& key, int64_t now_ms);

}  // namespace tintype::contexts
