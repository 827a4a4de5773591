#include "blobs/sealed/sealing_keys.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace tintype::blobs {

SealingKeys::SealingKeys(std::vector<SealingKey> keys) : keys_(std::move(keys)) {
  CHECK(!keys_.empty());
}

const SealingKey* SealingKeys::Find(uint64_t id) const {
  const auto found = std::ranges::find(keys_, id, &SealingKey::id);
  return found == keys_.end() ? nullptr : &*found;
}

}  // namespace tintype::blobs
