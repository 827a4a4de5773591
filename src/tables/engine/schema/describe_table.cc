#include "tables/engine/schema/describe_table.h"

#include "base/strings.h"
#include "tables/engine/schema/operations.h"

namespace tintype::tables::engine {
namespace {

IndexDescription DescribeIndex(const Core& core, const TableInfo& table, const IndexInfo& index) {
  const ItemTotals totals = core.statistics.Get(table.id, index.id);
  IndexDescription description;
  description.definition = index.definition;
  description.status = index.status;
  description.backfilling = index.status == IndexStatus::kCreating;
  description.item_count = totals.count;
  description.size_bytes = totals.bytes;
  description.arn =
      StrCat(TableArn(core.config, table.definition.name), "/index/", index.definition.name);
  return description;
}

}  // namespace

Error TableNotFound(std::string_view name) {
  return Error::NotFound(StrCat("Requested resource not found: Table: ", name, " not found"));
}

Error NotOurs(std::string_view arn) {
  return {ErrorKind::kAccessDenied, StrCat("Not authorized to perform this action on resource: ",
                                           arn, ". There is no such table here.")};
}

TableDescription Describe(const Core& core, const TableInfo& table) {
  TableDescription description;
  description.definition = table.definition;
  description.id = table.uuid;
  description.arn = TableArn(core.config, table.definition.name);
  description.created_ms = table.created_ms;
  const ItemTotals totals = core.statistics.Get(table.id, kTableItself);
  description.item_count = totals.count;
  description.size_bytes = totals.bytes;
  description.on_demand_since_ms = table.on_demand_since_ms;
  description.class_changed_ms = table.class_changed_ms;
  description.throughput_decreases_today = table.decreases_today;
  description.last_increase_ms = table.last_increase_ms;
  description.last_decrease_ms = table.last_decrease_ms;
  if (table.stream_since) {
    StreamInfo stream;
    stream.table_name = table.definition.name;
    stream.begin = *table.stream_since;
    description.stream_label = stream.Label();
    description.stream_arn = stream.Arn(core.config);
  }
  for (const IndexInfo& index : table.indexes) {
    (index.local ? description.local_indexes : description.global_indexes)
        .push_back(DescribeIndex(core, table, index));
    // A client that waits for the table to be active can count on its indexes.
    if (index.status != IndexStatus::kActive) {
      description.status = TableStatus::kUpdating;
    }
  }
  if (table.restore) {
    description.restore = {.source_backup_arn = table.restore->source_backup_arn,
                           .source_table_arn = table.restore->source_table_arn,
                           .time_ms = table.restore->time_ms,
                           .in_progress = table.restore->in_progress};
  }
  if (table.creating()) {
    description.status = TableStatus::kCreating;
  }
  return description;
}

Result<TableResponse> DescribeTable(Core& core, const DescribeTableRequest& request) {
  const TablePtr table = core.tables.FindOrNull(request.table);
  if (!table) {
    return TableNotFound(request.table);
  }
  return TableResponse{Describe(core, *table)};
}

Result<ListTablesResponse> ListTables(Core& core, const ListTablesRequest& request) {
  ListTablesResponse response;
  response.names = core.tables.Names(request.exclusive_start_name.value_or(""), request.limit + 1);
  if (response.names.size() > request.limit) {
    response.names.pop_back();
    response.last_evaluated_name = response.names.back();
  }
  return response;
}

}  // namespace tintype::tables::engine
