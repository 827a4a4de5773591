#include "tables/engine/table_change.h"

#include "tables/engine/meta_keys.h"

namespace tintype::tables::engine {
namespace {

void DropTotals(CommitGroup& group, TableId table, IndexId index) {
  Core& core = group.core();
  for (const char kind : {meta::kTotals, meta::kBackfill}) {
    group.batch()
        .Delete(core.storage->meta(), meta::IndexKey(kind, table, index))
        .PermitUncheckedError();
  }
  core.backfills.Erase(table, index);
  group.OnWritten([&core, table, index] { core.statistics.Erase(table, index); });
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

void DropIndexData(CommitGroup& group, const TableInfo& table, std::optional<IndexId> index) {
  std::string first;
  if (index) {
    AppendKeyPrefix(first, table.id, *index);
    DropTotals(group, table.id, *index);
  } else {
    AppendBigEndian32(first, table.id);
    DropTotals(group, table.id, kTableItself);
    for (const IndexInfo& each : table.indexes) {
      DropTotals(group, table.id, each.id);
    }
  }
  group.batch()
      .DeleteRange(group.core().storage->data(), first, PrefixSuccessor(first))
      .PermitUncheckedError();
}

}  // namespace tintype::tables::engine
