#include "tables/engine/changes/change_log.h"

#include "tables/engine/storage/meta_keys.h"

namespace tintype::tables::engine {
namespace {

std::unique_ptr<rocksdb::Iterator> NewLogIterator(Storage& storage,
                                                  const rocksdb::Snapshot* snapshot) {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  return std::unique_ptr<rocksdb::Iterator>(storage.db().NewIterator(options, storage.log()));
}

Error DamagedKey() { return Error::Corruption("A key of the change log is damaged"); }

}  // namespace

Status LoadPositions(Storage& storage, Positions& positions) {
  std::string stored;
  const rocksdb::Status status = storage.db().Get(rocksdb::ReadOptions(), storage.meta(),
                                                  std::string(1, meta::kLastPosition), &stored);
  if (status.IsNotFound()) {
    return OkStatus();
  }
  if (!status.ok()) {
    return FromRocksDb(status);
  }
  if (stored.size() != 8) {
    return Error::Corruption("The stored position of the change log is damaged");
  }
  positions.Resume(ReadBigEndian64(stored));
  return OkStatus();
}

ShardReader::ShardReader(Storage& storage, TableId table, uint8_t shard,
                         const rocksdb::Snapshot* snapshot)
    : table_(table), shard_(shard), it_(NewLogIterator(storage, snapshot)) {}

void ShardReader::Seek(Position from) {
  it_->Seek(At(from).Encode());
  SettleForward();
}

void ShardReader::SeekBefore(Position end) {
  current_.reset();
  if (end > 0) {
    it_->SeekForPrev(At(end - 1).Encode());
    SettleBackward();
  }
}

void ShardReader::Next() {
  it_->Next();
  SettleForward();
}

void ShardReader::Previous() {
  it_->Prev();
  SettleBackward();
}

// Goes on over what belongs to others: to our part of the same period if that is still ahead, else
// to our part of the next period that has anything.
void ShardReader::SettleForward() {
  current_.reset();
  while (it_->Valid()) {
    const std::optional<LogKey> key = LogKey::Decode(ToView(it_->key()));
    if (!key) {
      damaged_ = true;
      return;
    }
    if (key->table == table_ && key->shard == shard_) {
      current_ = key;
      return;
    }
    const bool ours_is_ahead = std::pair(key->table, key->shard) < std::pair(table_, shard_);
    const Period period = PeriodOf(key->position) + (ours_is_ahead ? 0 : 1);
    it_->Seek(At(FirstPositionIn(period)).Encode());
  }
}

void ShardReader::SettleBackward() {
  current_.reset();
  while (it_->Valid()) {
    const std::optional<LogKey> key = LogKey::Decode(ToView(it_->key()));
    if (!key) {
      damaged_ = true;
      return;
    }
    if (key->table == table_ && key->shard == shard_) {
      current_ = key;
      return;
    }
    const bool ours_is_behind = std::pair(key->table, key->shard) > std::pair(table_, shard_);
    const Period period = PeriodOf(key->position);
    if (!ours_is_behind && period == 0) {
      return;
    }
    it_->SeekForPrev(
        At(FirstPositionIn(ours_is_behind ? period : period - 1) + kPeriodMask).Encode());
  }
}

Status ShardReader::status() const {
  if (damaged_) {
    return DamagedKey();
  }
  return it_->status().ok() ? OkStatus() : Status(FromRocksDb(it_->status()));
}

Result<ChangeRecord> ShardReader::Read() const {
  return ChangeRecord::Decode(ToView(it_->key()), ToView(it_->value()));
}

Result<std::vector<std::pair<std::string, std::string>>> FindExpiredRecords(
    Storage& storage, int64_t now_ms, const Retention& retention) {
  std::vector<std::pair<std::string, std::string>> expired;
  const std::unique_ptr<rocksdb::Iterator> it = NewLogIterator(storage, nullptr);
  it->SeekToFirst();
  while (it->Valid()) {
    const std::optional<LogKey> key = LogKey::Decode(ToView(it->key()));
    if (!key) {
      return DamagedKey();
    }
    const Position begin = FirstPositionIn(PeriodOf(key->position));
    if (TimeOf(begin + kPeriodMask) > now_ms) {
      break;  // Everything that follows is newer still.
    }
    const std::string first = LogKey{key->table, 0, begin}.Encode();
    const std::string next = LogKey{key->table + 1, 0, begin}.Encode();
    if (TimeOf(begin + kPeriodMask) < now_ms - retention(key->table)) {
      expired.emplace_back(first, next);
    }
    it->Seek(next);
  }
  if (!it->status().ok()) {
    return FromRocksDb(it->status());
  }
  return expired;
}

}  // namespace tintype::tables::engine
