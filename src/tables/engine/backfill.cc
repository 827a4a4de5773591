#include "tables/engine/backfill.h"

#include <memory>

#include "base/logging.h"
#include "tables/engine/meta_keys.h"
#include "tables/engine/record.h"
#include "tables/engine/table_change.h"
#include "tables/engine/task.h"

namespace tintype::tables::engine {
namespace {

// Small enough that other writes wait no longer for a chunk than for a few of each other.
constexpr size_t kChunkItems = 200;
constexpr size_t kChunkBytes = size_t{1} << 20;

IndexInfo* FindIndexById(TableInfo& table, IndexId index) {
  for (IndexInfo& each : table.indexes) {
    if (each.id == index) {
      return &each;
    }
  }
  return nullptr;
}

// One chunk. Returns true when there is more to do.
Result<bool> FillChunk(CommitGroup& group, const std::string& table_name, TableId table_id,
                       IndexId index_id) {
  Core& core = group.core();
  const TablePtr current = core.catalog.FindOrNull(table_name);
  if (!current || current->id != table_id) {
    return false;
  }
  TableInfo table = *current;
  IndexInfo* index = FindIndexById(table, index_id);
  if (index == nullptr || index->status != IndexStatus::kCreating) {
    return false;
  }
  std::string lower = core.backfills.Cursor(table_id, index_id);
  std::string upper;
  AppendKeyPrefix(upper, table_id, kTableItself + 1);
  if (lower.empty()) {
    AppendKeyPrefix(lower, table_id, kTableItself);
  } else {
    lower.push_back('\0');
  }
  const rocksdb::Slice upper_bound = upper;
  rocksdb::ReadOptions read;
  read.iterate_upper_bound = &upper_bound;
  read.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> it(
      core.storage->db().NewIterator(read, core.storage->data()));
  // Read first, staged after: a read that fails half-way must leave nothing behind.
  std::vector<Item> items;
  size_t bytes = 0;
  std::string cursor;
  for (it->Seek(lower); it->Valid() && items.size() < kChunkItems && bytes < kChunkBytes;
       it->Next()) {
    items.push_back(Item::Copy(Record::Decode(ToView(it->value())).item));
    bytes += items.back().payload().size();
    cursor = it->key().ToString();
  }
  if (!it->status().ok()) {
    return FromRocksDb(it->status());
  }
  for (const Item& item : items) {
    group.StageBackfill(table, *index, item.view());
  }
  group.OnDropped([&core, table_id, index_id, before = core.backfills.Cursor(table_id, index_id)] {
    core.backfills.Set(table_id, index_id, before);
  });
  const std::string cursor_key = meta::IndexKey(meta::kBackfill, table_id, index_id);
  if (it->Valid()) {
    group.batch().Put(core.storage->meta(), cursor_key, cursor).PermitUncheckedError();
    core.backfills.Set(table_id, index_id, cursor);
    return true;
  }
  group.batch().Delete(core.storage->meta(), cursor_key).PermitUncheckedError();
  core.backfills.Erase(table_id, index_id);
  index->status = IndexStatus::kActive;
  StageTable(group, std::move(table));
  return false;
}

}  // namespace

void ContinueBackfill(Core& core, std::string table_name, TableId table, IndexId index) {
  SubmitOwnWork<bool>(
      core,
      [table_name, table, index](CommitGroup& group) {
        return FillChunk(group, table_name, table, index);
      },
      [&core, table_name, table, index](Result<bool> more) {
        if (!more.ok()) {
          // Shutting down, or the storage failed. The cursor is on disk; the next start goes on.
          LogWarning("index back-fill paused",
                     {{"table", table_name}, {"reason", more.error().message()}});
        } else if (*more) {
          ContinueBackfill(core, table_name, table, index);
        }
      });
}

Status LoadBackfills(Core& core) {
  const std::unique_ptr<rocksdb::Iterator> it(
      core.storage->db().NewIterator(rocksdb::ReadOptions(), core.storage->meta()));
  for (const TablePtr& table : core.catalog.All()) {
    for (const IndexInfo& index : table->indexes) {
      if (index.status != IndexStatus::kCreating) {
        continue;
      }
      const std::string key = meta::IndexKey(meta::kBackfill, table->id, index.id);
      it->Seek(key);
      if (it->Valid() && ToView(it->key()) == key) {
        core.backfills.Set(table->id, index.id, it->value().ToString());
      }
    }
  }
  return it->status().ok() ? OkStatus() : Status(FromRocksDb(it->status()));
}

}  // namespace tintype::tables::engine
