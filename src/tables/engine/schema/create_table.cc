#include "tables/engine/schema/create_table.h"

#include "base/random.h"
#include "base/strings.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/schema/describe_table.h"
#include "tables/engine/schema/operations.h"
#include "tables/engine/schema/resource_policies.h"
#include "tables/engine/schema/stream_change.h"
#include "tables/engine/schema/table_change.h"
#include "tables/engine/storage/meta_keys.h"
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

}  // namespace

TableInfo NewTable(CommitGroup& group, CreateTableRequest request) {
  Core& core = group.core();
  const int64_t now_ms = group.now_ms();
  TableInfo table;
  // The id is never given out again, not even after the table is gone.
  table.id = core.next_table_id++;
  std::string next_id;
  AppendVarint(next_id, core.next_table_id);
  group.batch()
      .Put(core.storage->meta(), std::string(1, meta::kNextTableId), next_id)
      .PermitUncheckedError();
  table.uuid = RandomUuid();
  table.created_ms = now_ms;
  table.tags = std::move(request.tags);
  if (request.resource_policy) {
    table.policy = NewResourcePolicy(group, *std::move(request.resource_policy));
  }
  AddIndexes(table, std::move(request.definition.local_indexes), true);
  AddIndexes(table, std::move(request.definition.global_indexes), false);
  request.definition.local_indexes.clear();
  request.definition.global_indexes.clear();
  table.definition = std::move(request.definition);
  if (table.definition.billing_mode == BillingMode::kPayPerRequest) {
    table.on_demand_since_ms = now_ms;
  }
  if (table.definition.stream) {
    BeginStream(group, table);
  }
  table.Derive();
  return table;
}

void CreateTable(Core& core, CreateTableRequest request, Done<TableResponse> done) {
  if (Status valid = ValidateTableDefinition(request.definition); !valid.ok()) {
    done(std::move(valid).error());
    return;
  }
  SubmitTableChange<TableResponse>(
      core, Space::kTakes,
      [&core, request = std::move(request)](CommitGroup& group) mutable -> Result<TableResponse> {
        const std::string name = request.definition.name;
        if (core.tables.FindOrNull(name)) {
          return Error::InUse(StrCat("Table already exists: ", name));
        }
        TableInfo table = NewTable(group, std::move(request));
        TableDescription description = Describe(core, table);
        StageTable(group, std::move(table));
        description.status = TableStatus::kCreating;
        for (IndexDescription& index : description.global_indexes) {
          index.status = IndexStatus::kCreating;
        }
        return TableResponse{std::move(description)};
      },
      std::move(done));
}

}  // namespace tintype::tables::engine
