#include "tables/engine/schema/table_change.h"

#include <rocksdb/convenience.h>

#include "base/logging.h"
#include "tables/engine/schema/backup_change.h"
#include "tables/engine/schema/stream_change.h"
#include "tables/engine/storage/meta_keys.h"

namespace tintype::tables::engine {
namespace {

void DropTotals(CommitGroup& group, TableId table, IndexId index) {
  Core& core = group.core();
  for (const char kind : {meta::kTotals, meta::kBackfill}) {
    group.batch()
        .Delete(core.storage->meta(), meta::IndexKey(kind, table, index))
        .PermitUncheckedError();
  }
  group.OnDropped([&core, table, index, before = core.backfills.Cursor(table, index)] {
    core.backfills.Set(table, index, before);
  });
  core.backfills.Erase(table, index);
  group.OnWritten([&core, table, index] { core.statistics.Erase(table, index); });
}

// Removes files that hold nothing but rows of the range, which takes no space.
void RemoveFiles(Core& core, const std::string& begin, const std::string& end) {
  const rocksdb::Slice first(begin);
  const rocksdb::Slice last(end);
  const rocksdb::Status removed = rocksdb::DeleteFilesInRange(
      &core.storage->db(), core.storage->data(), &first, &last, /*include_end=*/false);
  if (!removed.ok()) {
    LogWarning("the files of a removed table or index stay for now",
               {{"reason", removed.ToString()}});
  }
}

// The rows are gone, but their space comes back only when their files are merged with others, which
// may be never. Rows that lie among others are merged away if it is worth it and there is room to.
// Those who still read the files keep them until then.
void ReleaseFiles(Core& core, const std::string& begin, const std::string& end) {
  if (core.disk_space.room() != Room::kEnough) {
    RemoveFiles(core, begin, end);
    return;
  }
  const Status released = core.storage->ReleaseRange(begin, end, core.long_work.stop_flag());
  if (!released.ok()) {
    LogWarning("the files of a removed table or index stay for now",
               {{"reason", released.error().note()}});
  }
}

}  // namespace

void StageTable(CommitGroup& group, TableInfo table) {
  Core& core = group.core();
  table.Derive();
  const auto changed = std::make_shared<const TableInfo>(std::move(table));
  group.batch()
      .Put(core.storage->meta(), meta::TableKey(changed->definition.name),
           changed->ToStored().payload())
      .PermitUncheckedError();
  group.OnWritten([&core, changed] { core.tables.Put(changed); });
}

void RemoveTable(CommitGroup& group, const TableInfo& table) {
  Core& core = group.core();
  RetireStream(group, table);
  const std::string& name = table.definition.name;
  group.batch().Delete(core.storage->meta(), meta::TableKey(name)).PermitUncheckedError();
  // Before its files go, so that a read that misses them finds out why.
  group.OnWritten([&core, name] { core.tables.Erase(name); });
  if (table.recovery) {
    KeepDeletedTable(group, table);
  } else {
    DropIndexData(group, table, std::nullopt);
  }
}

void DropIndexData(CommitGroup& group, const TableInfo& table, std::optional<IndexId> index,
                   Afterwards afterwards) {
  std::string first;
  if (index) {
    AppendKeyPrefix(first, table.id, *index);
    DropTotals(group, table.id, *index);
  } else {
    AppendBigEndian32(first, table.id);
    DropTotals(group, table.id, kTableItself);
    DropTotals(group, table.id, kExpiryIndex);
    for (const IndexInfo& each : table.indexes) {
      DropTotals(group, table.id, each.id);
    }
  }
  std::string end = PrefixSuccessor(first);
  Core& core = group.core();
  group.batch().DeleteRange(core.storage->data(), first, end).PermitUncheckedError();
  group.OnWritten([&core, afterwards, begin = std::move(first), end = std::move(end)] {
    if (afterwards == Afterwards::kGone) {
      core.long_work.Add([&core, begin, end] { ReleaseFiles(core, begin, end); });
    } else if (core.disk_space.room() != Room::kEnough) {
      RemoveFiles(core, begin, end);  // Now, lest new rows go with the old ones.
    }
  });
}

}  // namespace tintype::tables::engine
