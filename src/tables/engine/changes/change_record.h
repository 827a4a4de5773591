#pragma once

#include <rocksdb/write_batch.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tables/engine/changes/position.h"
#include "tables/engine/storage/key_codec.h"
#include "tables/language/schema.h"
#include "tables/language/values/value.h"

/// One change of one item, as the `log` column family stores it (docs/formats/change_log.md).
namespace tintype::tables::engine {

enum class ChangeEvent : uint8_t { kInsert = 0, kModify = 1, kRemove = 2 };

/// Who made a change: a client of the endpoint, the server's own work, or the passing of time.
enum class ChangeOrigin : uint8_t { kEndpoint = 0, kServer = 1, kExpiry = 2 };

/// Streams are read in so many parts. By partition hash, so that an item stays in its part.
inline constexpr uint8_t kShards = 4;

/// The shard of a key of the `data` column family.
uint8_t ShardOf(std::string_view data_key);

/// Keys of the log. The upper part of the position (a period of about 70 minutes) comes first: new
/// records are always near the end of the log, so that its files never have to be merged with older
/// ones, and old ones are whole stretches. Within a period a table's shard lies together, so that
/// reading it reads nothing else.
struct LogKey {
  TableId table = 0;
  uint8_t shard = 0;
  Position position = 0;

  std::string Encode() const;
  /// Nothing when the bytes are no such key.
  static std::optional<LogKey> Decode(std::string_view key);
};

using Period = uint32_t;
inline constexpr int kPeriodBits = 42;  // Of a position, those that lie within a period.
inline constexpr Position kPeriodMask = (Position{1} << kPeriodBits) - 1;
constexpr Period PeriodOf(Position position) {
  return static_cast<Period>(position >> kPeriodBits);
}
constexpr Position FirstPositionIn(Period period) { return Position{period} << kPeriodBits; }

/// Which images of an item a table's records hold.
struct LoggedImages {
  bool old_image = false;
  bool new_image = false;
};

struct ChangeRecord {
  LogKey at;
  ChangeEvent event = ChangeEvent::kInsert;
  ChangeOrigin origin = ChangeOrigin::kEndpoint;
  std::optional<Item> key;  // Only if there is no image to take it from.
  std::optional<Item> old_image;
  std::optional<Item> new_image;

  /// The key attributes of the item that changed. `keys` are those of its table.
  Item KeyOf(const KeySchema& keys) const;

  /// Fails with kCorruption when the bytes are not such a record.
  static Result<ChangeRecord> Decode(std::string_view key, std::string_view value);
};

/// Adds a record to a batch. The images that the table logs are taken from the item before and
/// after; `key` is needed when there is none among them. REQUIRES: not both items are absent.
void PutChangeRecord(rocksdb::WriteBatch& batch, rocksdb::ColumnFamilyHandle* family,
                     const LogKey& at, ChangeOrigin origin, LoggedImages images,
                     const KeySchema& keys, const std::optional<Item>& old_item,
                     const std::optional<Item>& new_item);

}  // namespace tintype::tables::engine
