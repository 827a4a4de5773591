#include "tables/engine/commit/commit_group.h"

#include <algorithm>

#include "tables/engine/commit/core.h"
#include "tables/engine/rows/expiry_index.h"
#include "tables/engine/rows/item_keys.h"
#include "tables/engine/storage/meta_keys.h"
#include "tables/engine/storage/record.h"

namespace tintype::tables::engine {

CommitGroup::CommitGroup(Core& core) : core_(core), now_ms_(core.positions.Now(core.clock)) {}

Result<std::optional<Item>> CommitGroup::Read(const std::string& key) {
  if (const auto staged = overlay_.find(key); staged != overlay_.end()) {
    return staged->second;
  }
  rocksdb::PinnableSlice value;
  ASSIGN_OR_RETURN(const bool found, core_.storage->Get(key, value));
  return found ? std::optional(Item::Copy(Record::Decode(ToView(value)).item)) : std::nullopt;
}

void CommitGroup::Count(TableId table, IndexId index, int64_t count, int64_t bytes) {
  ItemTotals& counted = counted_[{table, index}];
  counted.count += count;
  counted.bytes += bytes;
}

std::optional<CommitGroup::IndexEntry> CommitGroup::MakeEntry(const TableInfo& table,
                                                              const IndexInfo& index,
                                                              const std::optional<Item>& item,
                                                              size_t item_bytes) const {
  if (!item) {
    return std::nullopt;
  }
  std::optional<std::string> key = EncodeIndexEntryKey(table, index, item->view());
  if (!key) {
    return std::nullopt;
  }
  IndexEntry entry{std::move(*key), ProjectForIndex(index, item->view()), item_bytes};
  if (!index.projects_all()) {
    entry.size_bytes = ItemSizeBytes(MapView(entry.value));
  }
  return entry;
}

void CommitGroup::StageIndex(const TableInfo& table, const IndexInfo& index,
                             const std::optional<IndexEntry>& old_entry,
                             const std::optional<IndexEntry>& new_entry, WriteCharge& charge) {
  const auto size = [](const IndexEntry& entry) { return static_cast<int64_t>(entry.size_bytes); };
  const bool moved = !old_entry || !new_entry || old_entry->key != new_entry->key;
  if (!moved && old_entry->value == new_entry->value) {
    return;
  }
  double units = 0;
  if (moved && old_entry) {
    batch_.Delete(core_.storage->data(), old_entry->key).PermitUncheckedError();
    Count(table.id, index.id, -1, -size(*old_entry));
    units += WriteUnits(old_entry->size_bytes);
  }
  if (new_entry) {
    PutRecord(batch_, core_.storage->data(), new_entry->key, new_entry->size_bytes,
              new_entry->value);
    Count(table.id, index.id, moved ? 1 : 0, size(*new_entry) - (moved ? 0 : size(*old_entry)));
    units += moved ? WriteUnits(new_entry->size_bytes)
                   : WriteUnits(std::max(old_entry->size_bytes, new_entry->size_bytes));
  }
  if (units > 0) {
    charge.indexes.emplace_back(&index, units);
  }
}

void CommitGroup::StageExpiry(const TableInfo& table, const std::string& key,
                              const std::optional<Item>& old_item,
                              const std::optional<Item>& new_item) {
  if (table.time_to_live->enabling && !core_.backfills.Reached(table.id, kExpiryIndex, key)) {
    return;  // As for an index that is being filled.
  }
  const std::string& attribute = table.time_to_live->attribute;
  const auto before = old_item ? ExpirySeconds(old_item->view(), attribute) : std::nullopt;
  const auto after = new_item ? ExpirySeconds(new_item->view(), attribute) : std::nullopt;
  if (before == after) {
    return;
  }
  if (before) {
    batch_.Delete(core_.storage->data(), EncodeExpiryKey(table.id, *before, key))
        .PermitUncheckedError();
  }
  if (after) {
    PutExpiryEntry(table.id, *after, key);
  }
}

void CommitGroup::PutExpiryEntry(TableId table, int64_t seconds, std::string_view key) {
  const std::string entry = EncodeExpiryKey(table, seconds, key);
  core_.expiry_cursors.Added(table, entry);
  batch_.Put(core_.storage->data(), entry, {}).PermitUncheckedError();
}

void CommitGroup::StageExpiryBackfill(const TableInfo& table, std::string_view key, MapView item) {
  if (const auto seconds = ExpirySeconds(item, table.time_to_live->attribute)) {
    PutExpiryEntry(table.id, *seconds, key);
  }
}

WriteCharge CommitGroup::Stage(const TableInfo& table, const std::string& key,
                               const std::optional<Item>& old_item, std::optional<Item> new_item,
                               ChangeOrigin origin) {
  const size_t old_bytes = old_item ? ItemSizeBytes(old_item->view()) : 0;
  const size_t new_bytes = new_item ? ItemSizeBytes(new_item->view()) : 0;
  WriteCharge charge;
  charge.table = WriteUnits(std::max(old_bytes, new_bytes));
  if (old_item == new_item) {
    return charge;
  }
  for (const IndexInfo& index : table.indexes) {
    if (index.status == IndexStatus::kCreating &&
        !core_.backfills.Reached(table.id, index.id, key)) {
      continue;  // The back-fill has this item still before it and will take it as it finds it.
    }
    StageIndex(table, index, MakeEntry(table, index, old_item, old_bytes),
               MakeEntry(table, index, new_item, new_bytes), charge);
  }
  if (new_item) {
    PutRecord(batch_, core_.storage->data(), key, new_bytes, new_item->payload());
  } else {
    batch_.Delete(core_.storage->data(), key).PermitUncheckedError();
  }
  Count(table.id, kTableItself, (new_item ? 1 : 0) - (old_item ? 1 : 0),
        static_cast<int64_t>(new_bytes) - static_cast<int64_t>(old_bytes));
  if (table.time_to_live) {
    StageExpiry(table, key, old_item, new_item);
  }
  if (table.logs_changes()) {
    PutChangeRecord(batch_, core_.storage->log(),
                    {table.id, ShardOf(key), core_.positions.Next(now_ms_)}, origin,
                    table.logged_images(), table.definition.keys, old_item, new_item);
  }
  overlay_.insert_or_assign(key, std::move(new_item));
  return charge;
}

void CommitGroup::StageBackfill(const TableInfo& table, const IndexInfo& index, MapView item) {
  const std::optional<std::string> key = EncodeIndexEntryKey(table, index, item);
  if (!key) {
    return;
  }
  const std::string value = ProjectForIndex(index, item);
  const size_t size_bytes = ItemSizeBytes(MapView(value));
  PutRecord(batch_, core_.storage->data(), *key, size_bytes, value);
  Count(table.id, index.id, 1, static_cast<int64_t>(size_bytes));
}

void CommitGroup::Seal() {
  core_.tokens.Expire(now_ms_, batch_, *core_.storage);
  if (core_.positions.last() != core_.positions.committed()) {
    // With every group: a log that has been emptied must not start counting anew.
    std::string last;
    AppendBigEndian64(last, core_.positions.last());
    batch_.Put(core_.storage->meta(), std::string(1, meta::kLastPosition), last)
        .PermitUncheckedError();
  }
  for (auto& [slot, totals] : counted_) {
    const ItemTotals before = core_.statistics.Get(slot.first, slot.second);
    totals.count += before.count;
    totals.bytes += before.bytes;
    std::string value;
    AppendVarint(value, static_cast<uint64_t>(totals.count));
    AppendVarint(value, static_cast<uint64_t>(totals.bytes));
    batch_.Put(core_.storage->meta(), meta::IndexKey(meta::kTotals, slot.first, slot.second), value)
        .PermitUncheckedError();
  }
}

void CommitGroup::Drop() {
  for (auto each = take_back_.rbegin(); each != take_back_.rend(); ++each) {
    (*each)();
  }
}

Status CommitGroup::Write() {
  if (batch_.Count() > 0) {
    RETURN_IF_ERROR(core_.storage->Write(batch_));
  }
  core_.positions.SetCommitted();
  for (const auto& [slot, totals] : counted_) {
    core_.statistics.Set(slot.first, slot.second, totals);
  }
  for (const std::function<void()>& publish : publish_) {
    publish();
  }
  return OkStatus();
}

}  // namespace tintype::tables::engine
