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

// The rows are gone, but their space comes back only when their files are merged with others, which
// may be never and needs space first. When there is little, files that hold nothing else are
// removed at once; on an emptier disk that would only disturb whoever is still reading them.
void ReleaseFiles(Core& core, const std::string& begin, const std::string& end) {
  if (core.disk_space.room() == Room::kEnough) {
    return;
  }
  const rocksdb::Slice first(begin);
  const rocksdb::Slice last(end);
  const rocksdb::Status released = rocksdb::DeleteFilesInRange(
      &core.storage->db(), core.storage->data(), &first, &last, /*include_end=*/false);
  if (!released.ok()) {
    LogWarning("the files of a removed table or index stay for now",
               {{"reason", released.ToString()}});
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
  group.OnWritten([&core, changed] { core.catalog.Put(changed); });
}

void RemoveTable(CommitGroup& group, const TableInfo& table) {
  Core& core = group.core();
  RetireStream(group, table);
  if (table.recovery) {
    KeepDeletedTable(group, table);
  } else {
    DropIndexData(group, table, std::nullopt);
  }
  const std::string& name = table.definition.name;
  group.batch().Delete(core.storage->meta(), meta::TableKey(name)).PermitUncheckedError();
  group.OnWritten([&core, name] { core.catalog.Erase(name); });
}

void DropIndexData(CommitGroup& group, const TableInfo& table, std::optional<IndexId> index) {
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
  group.OnWritten(
      [&core, begin = std::move(first), end = std::move(end)] { ReleaseFiles(core, begin, end); });
}

}  // namespace tintype::tables::engine
