#include <unordered_set>

#include "tables/engine/commit/task.h"
#include "tables/engine/items/item_write.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/rows/item_keys.h"

namespace tintype::tables::engine {
namespace {

// The writes of a batch in request order. DynamoDB promises no atomicity for a batch; one group
// gives it for free.
struct BatchWrite {
  std::vector<ItemWrite> writes;
  ReturnCapacity return_capacity;
  bool return_collection_metrics;

  Result<BatchWriteItemResponse> operator()(CommitGroup& group) {
    std::vector<ItemChange> changes;
    changes.reserve(writes.size());
    for (ItemWrite& write : writes) {
      ASSIGN_OR_RETURN(ItemChange change, Decide(group, write));
      changes.push_back(std::move(change));
    }
    BatchWriteItemResponse response;
    for (size_t i = 0; i < writes.size(); ++i) {
      const TableInfo& table = *writes[i].table;
      if (return_collection_metrics) {
        if (auto metrics = CollectionMetrics(group.core(), writes[i], changes[i])) {
          AddMetrics(response.collection_metrics, table.definition.name, std::move(*metrics));
        }
      }
      const WriteCharge charge = group.Stage(table, writes[i].key, changes[i].old_item,
                                             std::move(changes[i].new_item), writes[i].origin);
      if (return_capacity != ReturnCapacity::kNone) {
        AddWriteCharge(CapacityFor(response.capacity, table, return_capacity, false), charge,
                       false);
      }
    }
    return response;
  }
};

Result<std::vector<ItemWrite>> PrepareBatch(Core& core, BatchWriteItemRequest& request,
                                            ChangeOrigin origin) {
  std::vector<ItemWrite> writes;
  std::unordered_set<std::string> seen;
  for (BatchWriteItemRequest::Table& table : request.tables) {
    for (auto& action : table.actions) {
      auto* put = std::get_if<BatchWriteItemRequest::Put>(&action);
      if (put != nullptr) {
        ASSIGN_OR_RETURN(const TablePtr info, core.tables.Find(table.table));
        RETURN_IF_ERROR(CheckHasKeys(*info, put->item.view()));
      }
      ASSIGN_OR_RETURN(ItemWrite write,
                       put != nullptr
                           ? PreparePut(core, table.table, std::move(put->item))
                           : PrepareDelete(core, table.table,
                                           std::get<BatchWriteItemRequest::Delete>(action).key));
      if (!seen.insert(write.key).second) {
        return Error::Validation("Provided list of item keys contains duplicates");
      }
      write.origin = origin;
      writes.push_back(std::move(write));
    }
  }
  return writes;
}

}  // namespace

void BatchWriteItem(Core& core, BatchWriteItemRequest request, ChangeOrigin origin,
                    Done<BatchWriteItemResponse> done) {
  Result<std::vector<ItemWrite>> writes = PrepareBatch(core, request, origin);
  if (!writes.ok()) {
    done(std::move(writes).error());
    return;
  }
  const Space space = SpaceOf(!OnlyRemoves(*writes), origin);
  SubmitWrite<BatchWriteItemResponse>(
      core, space,
      BatchWrite{std::move(*writes), request.return_capacity, request.return_collection_metrics},
      std::move(done));
}

}  // namespace tintype::tables::engine
