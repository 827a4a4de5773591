#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "blobs/sealed/sealing_keys.h"

/// Sealed blobs in memory, for tests.
namespace tintype::blobs {

/// Keys of these ids, the last of which is the newest. Those of one id are the same.
SealingKeys KeysOf(const std::vector<uint64_t>& ids);
inline std::shared_ptr<const SealingKeys> SharedKeysOf(const std::vector<uint64_t>& ids) {
  return std::make_shared<const SealingKeys>(KeysOf(ids));
}

/// What a store is given of a blob.
std::string Sealed(const SealingKeys& keys, std::string_view bytes);

/// What a sealed blob is read as; nothing when it is refused.
std::optional<std::string> Opened(const SealingKeys& keys, const std::string& sealed);

}  // namespace tintype::blobs
