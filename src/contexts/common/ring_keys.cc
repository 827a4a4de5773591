#include "contexts/common/ring_keys.h"

#include <algorithm>

#include "base/check.h"

namespace tintype::contexts {

size_t SigningPlace(const RingKeys& keys, int64_t now_ms) {
  CHECK(!keys.empty());
  const auto used =
      std::ranges::find_if(keys, [&](const RingKey& key) { return key.used_from_ms <= now_ms; });
  // None is when the clock was put back.
  return used == keys.end() ? keys.size() - 1 : static_cast<size_t>(used - keys.begin());
}

bool IsHonoured(const RingKey& key, int64_t now_ms) {
  return key.honoured_until_ms == 0 || now_ms < key.honoured_until_ms;
}

}  // namespace tintype::contexts
