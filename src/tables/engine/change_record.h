#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tables/engine/key_codec.h"
#include "tables/language/value.h"

namespace tintype::tables::engine {

/// Who made a change. Only endpoint changes exist so far; the other values are reserved.
enum class ChangeOrigin : uint8_t { kEndpoint = 0, kServer = 1, kExpiry = 2 };

/// One change of one item, as the `log` column family stores it under its position
/// (docs/formats/change_log.md). Written in the same batch as the change it tells of.
struct ChangeRecord {
  uint64_t position = 0;  // In commit order, never reused.
  int64_t time_ms = 0;    // Never less than that of the record before.
  TableId table = 0;
  uint8_t shard = 0;  // 0 to 3, by partition hash.
  ChangeOrigin origin = ChangeOrigin::kEndpoint;
  Item key;
  std::optional<Item> old_image;
  std::optional<Item> new_image;

  std::string EncodeKey() const;
  std::string EncodeValue() const;
  /// Fails with kCorruption when the bytes are not such a record.
  static Result<ChangeRecord> Decode(std::string_view key, std::string_view value);
  /// The time alone, without reading the images.
  static Result<int64_t> DecodeTime(std::string_view value);
};

/// The shard of a key of the `data` column family.
uint8_t ShardOf(std::string_view data_key);

}  // namespace tintype::tables::engine
