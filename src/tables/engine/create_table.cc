#include "base/random.h"
#include "base/strings.h"
#include "tables/engine/describe_table.h"
#include "tables/engine/meta_keys.h"
#include "tables/engine/operations.h"
#include "tables/engine/task.h"
#include "tables/language/schema_validation.h"

namespace tintype::tables::engine {
namespace {

void AddIndexes(TableInfo& table, std::vector<IndexDefinition> definitions, bool local) {
  for (IndexDefinition& definition : definitions) {
    IndexInfo index;
    index.id = table.next_index_id++;
    index.local = local;
    index.definition = std::move(definition);
    table.indexes.push_back(std::move(index));
  }
}

TableInfo NewTable(Core& core, CreateTableRequest request, int64_t now_ms) {
  TableInfo table;
  table.id = core.next_table_id;
  table.uuid = RandomUuid();
  table.created_ms = now_ms;
  table.tags = std::move(request.tags);
  AddIndexes(table, std::move(request.definition.local_indexes), true);
  AddIndexes(table, std::move(request.definition.global_indexes), false);
  request.definition.local_indexes.clear();
  request.definition.global_indexes.clear();
  table.definition = std::move(request.definition);
  if (table.definition.billing_mode == BillingMode::kPayPerRequest) {
    table.on_demand_since_ms = now_ms;
  }
  if (table.definition.stream) {
    table.stream_since_ms = now_ms;
  }
  table.Derive();
  return table;
}

}  // namespace

void CreateTable(Core& core, CreateTableRequest request, Done<TableResponse> done) {
  if (Status valid = ValidateTableDefinition(request.definition); !valid.ok()) {
    done(std::move(valid).error());
    return;
  }
  SubmitTableChange<TableResponse>(
      core, Space::kTakes,
      [&core, request = std::move(request)](CommitGroup& group) mutable -> Result<TableResponse> {
        const std::string name = request.definition.name;
        if (core.catalog.FindOrNull(name)) {
          return Error::InUse(StrCat("Table already exists: ", name));
        }
        const auto table =
            std::make_shared<const TableInfo>(NewTable(core, std::move(request), group.now_ms()));
        // The id is never given out again, not even after the table is gone.
        ++core.next_table_id;
        std::string next_id;
        AppendVarint(next_id, core.next_table_id);
        group.batch()
            .Put(core.storage->meta(), std::string(1, meta::kNextTableId), next_id)
            .PermitUncheckedError();
        group.batch()
            .Put(core.storage->meta(), meta::TableKey(name), table->ToStored().payload())
            .PermitUncheckedError();
        group.OnWritten([&core, table] { core.catalog.Put(table); });

        TableDescription description = Describe(core, *table);
        description.status = TableStatus::kCreating;
        for (IndexDescription& index : description.global_indexes) {
          index.status = IndexStatus::kCreating;
        }
        return TableResponse{std::move(description)};
      },
      std::move(done));
}

}  // namespace tintype::tables::engine
