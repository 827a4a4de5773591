#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "contexts/common/ring_keys.h"
#include "contexts/common/secrets.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::identity {

/// Somebody else rotated the keys at the same moment.
inline constexpr Reason kRotatedMeanwhile{ErrorKind::kConditionFailed, "RotatedMeanwhile"};

/// How a key is replaced.
struct Rotation {
  std::string secret;
  /// How long what the keys before have signed stays good, from the moment on which they sign no
  /// more. It has to cover what they sign at most.
  int64_t honour_ms = 0;
  /// They are not honoured at all, and the new key is used at once: somebody else has them.
  bool at_once = false;
};

/// What keys are for. Those of one purpose cannot be opened for another.
struct KeyPurpose {
  std::string_view name;     // Of the item, `KEY#{name}`.
  std::string_view context;  // They are sealed for it.
};
inline constexpr KeyPurpose kAccessTokenKeys{"access-tokens", "access-token-key"};
inline constexpr KeyPurpose kLinkKeys{"links", "link-key"};

/// Keys for one purpose, which all nodes share and which can be replaced: `KEY#{name}` in the table
/// tintype, sealed. Every node reads them each kReadMs, and a new one is used only kSettleMs after
/// it was made, so that no node meets a signature by a key that it does not know. Thread-safe; may
/// block.
class KeyRing {
 public:
  static constexpr int64_t kReadMs = 5'000;
  static constexpr int64_t kSettleMs = 4 * kReadMs;
  /// Keys that are still honoured: more rotations have to wait.
  static constexpr size_t kKeysMax = 50;

  KeyRing(const KeyPurpose& purpose, const Key256& sealing_key, tables::Database& database,
          const Clock& clock)
      : purpose_(purpose), sealing_key_(sealing_key), database_(database), clock_(clock) {}

  /// Errors: kNotFound when there are none yet; kSealedWithAnotherKey when whoever made them had
  /// another sealing key; kCorruption.
  Result<RingKeys> Read();
  /// As Read, but makes the first key where there is none. Of several nodes that do so at once, one
  /// succeeds and all get its key.
  Result<RingKeys> ReadOrMake(const std::function<std::string()>& make_secret);
  /// Errors: kRotatedMeanwhile; kLimitExceeded when kKeysMax are still honoured; as Read.
  Result<RingKeys> Rotate(Rotation rotation);

 private:
  struct Stored;
  Result<Stored> Load();
  tables::Item ItemKey() const;
  std::string SealedText(std::string_view secret) const;
  Result<std::string> Unsealed(std::string_view text) const;

  const KeyPurpose purpose_;
  const Key256 sealing_key_;
  tables::BlockingDatabase database_;
  const Clock& clock_;
};

}  // namespace tintype::contexts::identity
