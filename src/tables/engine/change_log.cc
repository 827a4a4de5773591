#include "tables/engine/change_log.h"

#include <memory>

#include "base/logging.h"
#include "tables/engine/change_record.h"
#include "tables/engine/commit_group.h"
#include "tables/engine/meta_keys.h"

namespace tintype::tables::engine {
namespace {

constexpr int64_t kRetentionMs = int64_t{24} * 60 * 60 * 1000;
constexpr int64_t kTrimEveryMs = 60 * 1000;
// A trim that finds more than this to do leaves the rest to the next group, which it must not
// delay.
constexpr int kTrimRecords = 10000;

std::string PositionBytes(uint64_t position) {
  std::string bytes;
  AppendBigEndian64(bytes, position);
  return bytes;
}

}  // namespace

Status LoadChangeLog(Core& core) {
  std::string stored;
  const rocksdb::Status status = core.storage->db().Get(
      rocksdb::ReadOptions(), core.storage->meta(), std::string(1, meta::kNextPosition), &stored);
  if (!status.ok() && !status.IsNotFound()) {
    return FromRocksDb(status);
  }
  if (status.ok()) {
    if (stored.size() != 8) {
      return Error::Corruption("The stored position of the change log is damaged");
    }
    core.next_position = ReadBigEndian64(stored);
  }
  const std::unique_ptr<rocksdb::Iterator> it(
      core.storage->db().NewIterator(rocksdb::ReadOptions(), core.storage->log()));
  it->SeekToLast();
  if (it->Valid()) {
    ASSIGN_OR_RETURN(const ChangeRecord last,
                     ChangeRecord::Decode(ToView(it->key()), ToView(it->value())));
    core.next_position = std::max(core.next_position, last.position + 1);
    core.change_clock.AdvanceTo(last.time_ms);
  }
  return it->status().ok() ? OkStatus() : Status(FromRocksDb(it->status()));
}

void TrimChangeLog(CommitGroup& group) {
  Core& core = group.core();
  if (group.now_ms() < core.next_trim_ms) {
    return;
  }
  core.next_trim_ms = group.now_ms() + kTrimEveryMs;
  const std::unique_ptr<rocksdb::Iterator> it(
      core.storage->db().NewIterator(rocksdb::ReadOptions(), core.storage->log()));
  int expired = 0;
  uint64_t keep_from = 0;
  for (it->SeekToFirst(); it->Valid() && expired < kTrimRecords; it->Next()) {
    const Result<int64_t> time_ms = ChangeRecord::DecodeTime(ToView(it->value()));
    if (!time_ms.ok()) {
      LogError("change log not trimmed", {{"reason", time_ms.error().message()}});
      return;
    }
    if (*time_ms > group.now_ms() - kRetentionMs) {
      break;
    }
    keep_from = ReadBigEndian64(ToView(it->key())) + 1;
    ++expired;
  }
  if (expired == 0) {
    return;
  }
  if (expired == kTrimRecords) {
    core.next_trim_ms = group.now_ms();  // There is more: the next group goes on.
  }
  group.batch()
      .DeleteRange(core.storage->log(), PositionBytes(0), PositionBytes(keep_from))
      .PermitUncheckedError();
  // An emptied log must not start counting anew.
  group.batch()
      .Put(core.storage->meta(), std::string(1, meta::kNextPosition),
           PositionBytes(core.next_position))
      .PermitUncheckedError();
}

}  // namespace tintype::tables::engine
