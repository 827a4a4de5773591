#pragma once

#include <memory>
#include <string_view>

#include "crypto/digest.h"

namespace tintype::crypto {

/// HmacSha256 with a key that is used often: the part that depends on the key alone is computed
/// once. Thread-safe; copies share it.
class HmacKey {
 public:
  explicit HmacKey(std::string_view key);

  Sha256Digest Of(std::string_view text) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace tintype::crypto
