#include "tables/engine/schema/backfill.h"

#include <memory>

#include "base/logging.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/schema/table_change.h"
#include "tables/engine/storage/meta_keys.h"
#include "tables/engine/storage/record.h"

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

// A stretch of a table's items, in key order.
struct Chunk {
  std::vector<std::pair<std::string, Item>> items;  // By key.
  bool complete = false;                            // There are no more after it.
};

// Read first, staged after: a read that fails half-way must leave nothing behind.
Result<Chunk> ReadChunk(Core& core, TableId table, const std::string& after) {
  std::string lower = after;
  std::string upper;
  AppendKeyPrefix(upper, table, kTableItself + 1);
  if (lower.empty()) {
    AppendKeyPrefix(lower, table, kTableItself);
  } else {
    lower.push_back('\0');
  }
  const rocksdb::Slice upper_bound = upper;
  rocksdb::ReadOptions read;
  read.iterate_upper_bound = &upper_bound;
  read.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> it(
      core.storage->db().NewIterator(read, core.storage->data()));
  Chunk chunk;
  size_t bytes = 0;
  for (it->Seek(lower); it->Valid() && chunk.items.size() < kChunkItems && bytes < kChunkBytes;
       it->Next()) {
    chunk.items.emplace_back(it->key().ToString(),
                             Item::Copy(Record::Decode(ToView(it->value())).item));
    bytes += chunk.items.back().second.payload().size();
  }
  if (!it->status().ok()) {
    return FromRocksDb(it->status());
  }
  chunk.complete = !it->Valid();
  return chunk;
}

bool IsBeingFilled(TableInfo& table, IndexId index_id) {
  if (index_id == kExpiryIndex) {
    return table.time_to_live && table.time_to_live->enabling;
  }
  const IndexInfo* index = FindIndexById(table, index_id);
  return index != nullptr && index->status == IndexStatus::kCreating;
}

void StageItem(CommitGroup& group, TableInfo& table, IndexId index_id, const std::string& key,
               MapView item) {
  if (index_id == kExpiryIndex) {
    group.StageExpiryBackfill(table, key, item);
  } else {
    group.StageBackfill(table, *FindIndexById(table, index_id), item);
  }
}

void MarkFilled(TableInfo& table, IndexId index_id) {
  if (index_id == kExpiryIndex) {
    table.time_to_live->enabling = false;
  } else {
    FindIndexById(table, index_id)->status = IndexStatus::kActive;
  }
}

// One chunk. Returns true when there is more to do.
Result<bool> FillChunk(CommitGroup& group, const std::string& table_name, TableId table_id,
                       IndexId index_id) {
  Core& core = group.core();
  const TablePtr current = core.tables.FindOrNull(table_name);
  if (!current || current->id != table_id) {
    return false;
  }
  TableInfo table = *current;
  if (!IsBeingFilled(table, index_id)) {
    return false;
  }
  const std::string before = core.backfills.Cursor(table_id, index_id);
  ASSIGN_OR_RETURN(const Chunk chunk, ReadChunk(core, table_id, before));
  for (const auto& [key, item] : chunk.items) {
    StageItem(group, table, index_id, key, item.view());
  }
  group.OnDropped(
      [&core, table_id, index_id, before] { core.backfills.Set(table_id, index_id, before); });
  const std::string cursor_key = meta::IndexKey(meta::kBackfill, table_id, index_id);
  if (!chunk.complete) {
    const std::string& cursor = chunk.items.back().first;
    group.batch().Put(core.storage->meta(), cursor_key, cursor).PermitUncheckedError();
    core.backfills.Set(table_id, index_id, cursor);
    return true;
  }
  group.batch().Delete(core.storage->meta(), cursor_key).PermitUncheckedError();
  core.backfills.Erase(table_id, index_id);
  MarkFilled(table, index_id);
  StageTable(group, std::move(table));
  return false;
}

}  // namespace

void ContinueBackfill(Core& core, std::string table_name, TableId table, IndexId index) {
  SubmitOwnWork<bool>(
      core, Space::kTakes,
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

std::vector<IndexId> UnfinishedBackfills(const TableInfo& table) {
  std::vector<IndexId> unfinished;
  for (const IndexInfo& index : table.indexes) {
    if (index.status == IndexStatus::kCreating) {
      unfinished.push_back(index.id);
    }
  }
  if (table.time_to_live && table.time_to_live->enabling) {
    unfinished.push_back(kExpiryIndex);
  }
  return unfinished;
}

Status LoadBackfills(Core& core) {
  const std::unique_ptr<rocksdb::Iterator> it(
      core.storage->db().NewIterator(rocksdb::ReadOptions(), core.storage->meta()));
  for (const TablePtr& table : core.tables.All()) {
    for (const IndexId index : UnfinishedBackfills(*table)) {
      const std::string key = meta::IndexKey(meta::kBackfill, table->id, index);
      it->Seek(key);
      if (it->Valid() && ToView(it->key()) == key) {
        core.backfills.Set(table->id, index, it->value().ToString());
      }
    }
  }
  return it->status().ok() ? OkStatus() : Status(FromRocksDb(it->status()));
}

}  // namespace tintype::tables::engine
