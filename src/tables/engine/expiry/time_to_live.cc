#include "base/strings.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/expiry/operations.h"
#include "tables/engine/schema/backfill.h"
#include "tables/engine/schema/describe_table.h"
#include "tables/engine/schema/table_change.h"

namespace tintype::tables::engine {
namespace {

// Expiry as such follows from the table's description; here entries begin or cease to be kept.
Result<UpdateTimeToLiveResponse> DecideTimeToLive(CommitGroup& group,
                                                  const UpdateTimeToLiveRequest& request) {
  Core& core = group.core();
  const TablePtr before = core.tables.FindOrNull(request.table);
  if (!before || before->creating()) {
    return TableNotFound(request.table);
  }
  const auto& current = before->time_to_live;
  if (request.enabled && current && current->attribute == request.attribute) {
    return Error::Validation("TimeToLive is already enabled");
  }
  if (!request.enabled && !current) {
    return Error::Validation("TimeToLive is already disabled");
  }
  if (current && current->attribute != request.attribute) {
    return Error::Validation(
        StrCat("TimeToLive is active on a different AttributeName: current AttributeName is ",
               current->attribute));
  }
  TableInfo table = *before;
  if (request.enabled) {
    table.time_to_live = {.attribute = request.attribute, .enabling = true};
    group.OnWritten([&core, name = request.table, id = table.id] {
      ContinueBackfill(core, name, id, kExpiryIndex);
    });
  } else {
    table.time_to_live.reset();
    DropIndexData(group, *before, kExpiryIndex, Afterwards::kRefilled);
  }
  StageTable(group, std::move(table));
  return UpdateTimeToLiveResponse{request.enabled, request.attribute};
}

}  // namespace

void UpdateTimeToLive(Core& core, UpdateTimeToLiveRequest request,
                      Done<UpdateTimeToLiveResponse> done) {
  SubmitTableChange<UpdateTimeToLiveResponse>(
      core, request.enabled ? Space::kTakes : Space::kFrees,
      [request = std::move(request)](CommitGroup& group) {
        return DecideTimeToLive(group, request);
      },
      std::move(done));
}

Result<DescribeTimeToLiveResponse> DescribeTimeToLive(Core& core,
                                                      const DescribeTimeToLiveRequest& request) {
  const TablePtr table = core.tables.FindOrNull(request.table);
  if (!table) {
    return TableNotFound(request.table);
  }
  if (!table->time_to_live) {
    return DescribeTimeToLiveResponse{TimeToLiveStatus::kDisabled, std::nullopt};
  }
  return DescribeTimeToLiveResponse{
      table->time_to_live->enabling ? TimeToLiveStatus::kEnabling : TimeToLiveStatus::kEnabled,
      table->time_to_live->attribute};
}

}  // namespace tintype::tables::engine
