#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tables/engine/changes/change_record.h"
#include "tables/engine/changes/position.h"
#include "tables/engine/storage/storage.h"

namespace tintype::tables::engine {

/// Finds where the change log ends, so that positions and times go on from there.
Status LoadPositions(Storage& storage, Positions& positions);

/// Walks over the records of one shard of one table in order of position, either way. Sees what was
/// on disk when it was made, or as of `snapshot`. Not thread-safe.
class ShardReader {
 public:
  ShardReader(Storage& storage, TableId table, uint8_t shard,
              const rocksdb::Snapshot* snapshot = nullptr);

  /// To the first record at or after `from`.
  void Seek(Position from);
  /// To the last record before `end`.
  void SeekBefore(Position end);
  void Next();
  void Previous();

  /// False at the end, and after an error: see status().
  bool valid() const { return current_.has_value(); }
  Status status() const;

  // REQUIRES: valid().
  Position position() const { return current_->position; }
  Result<ChangeRecord> Read() const;

 private:
  LogKey At(Position position) const { return {table_, shard_, position}; }
  void SettleForward();
  void SettleBackward();

  const TableId table_;
  const uint8_t shard_;
  std::unique_ptr<rocksdb::Iterator> it_;
  std::optional<LogKey> current_;
  bool damaged_ = false;
};

/// An iterator of a stream can be used for so long; records are kept so much longer than they can
/// be asked for anew.
inline constexpr int64_t kIteratorLifeMs = int64_t{15} * 60 * 1000;

/// How long a table's records are needed, in milliseconds. A table that is gone keeps nothing for
/// itself; what its last stream needs is told by retired streams.
using Retention = std::function<int64_t(TableId)>;

/// Whole periods of tables, all of whose records are older than the table needs them, as ranges of
/// keys. Reads keys only.
Result<std::vector<std::pair<std::string, std::string>>> FindExpiredRecords(
    Storage& storage, int64_t now_ms, const Retention& retention);

}  // namespace tintype::tables::engine
