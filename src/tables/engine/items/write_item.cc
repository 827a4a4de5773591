#include "tables/engine/commit/task.h"
#include "tables/engine/items/item_write.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/rows/item_keys.h"

namespace tintype::tables::engine {
namespace {

std::optional<Item> NonEmpty(Item item) {
  return item.empty() ? std::nullopt : std::optional(std::move(item));
}

// What ReturnValues asks for. UPDATED_OLD and UPDATED_NEW show only the parts that the update
// names.
std::optional<Item> ReturnedAttributes(ReturnValues wanted, const ItemWrite& write,
                                       const ItemChange& change) {
  const auto* update = std::get_if<ItemWrite::Change>(&write.what);
  const auto parts = [](const std::optional<Item>& item,
                        std::vector<Path> paths) -> std::optional<Item> {
    if (!item || paths.empty()) {
      return std::nullopt;
    }
    return NonEmpty(Projection(std::move(paths)).Apply(item->view()));
  };
  switch (wanted) {
    case ReturnValues::kNone:
      return std::nullopt;
    case ReturnValues::kAllOld:
      return change.old_item;
    case ReturnValues::kAllNew:
      return change.new_item;
    case ReturnValues::kUpdatedOld:
      CHECK(update != nullptr);
      return parts(change.old_item, update->update.WrittenPaths());
    case ReturnValues::kUpdatedNew:
      CHECK(update != nullptr);
      return parts(change.new_item, update->update.KeptPaths());
  }
  return std::nullopt;
}

struct SingleWrite {
  ItemWrite write;
  ReturnValues return_values;
  ReturnCapacity return_capacity;
  bool return_collection_metrics;

  Result<WriteItemResponse> operator()(CommitGroup& group) {
    ASSIGN_OR_RETURN(ItemChange change, Decide(group, write));
    WriteItemResponse response;
    response.attributes = ReturnedAttributes(return_values, write, change);
    if (return_collection_metrics) {
      response.collection_metrics = CollectionMetrics(group.core(), write, change);
    }
    const WriteCharge charge = group.Stage(*write.table, write.key, change.old_item,
                                           std::move(change.new_item), write.origin);
    if (return_capacity != ReturnCapacity::kNone) {
      response.capacity = StartCapacity(*write.table, return_capacity, false);
      AddWriteCharge(*response.capacity, charge, false);
    }
    return response;
  }
};

void SubmitSingle(Core& core, Result<ItemWrite> write, WriteOptions options, ChangeOrigin origin,
                  Done<WriteItemResponse> done) {
  if (!write.ok()) {
    done(std::move(write).error());
    return;
  }
  if (Status paths = CheckKeyPaths(*write->table, options.condition); !paths.ok()) {
    done(std::move(paths).error());
    return;
  }
  write->condition = std::move(options.condition);
  write->return_old_on_condition_failure = options.return_old_on_condition_failure;
  write->origin = origin;
  const Space space = SpaceOf(write->adds_data(), origin);
  SubmitWrite<WriteItemResponse>(
      core, space,
      SingleWrite{std::move(*write), options.return_values, options.return_capacity,
                  options.return_collection_metrics},
      std::move(done));
}

}  // namespace

void PutItem(Core& core, PutItemRequest request, ChangeOrigin origin,
             Done<WriteItemResponse> done) {
  SubmitSingle(core, PreparePut(core, request.table, std::move(request.item)),
               std::move(request.options), origin, std::move(done));
}

void DeleteItem(Core& core, DeleteItemRequest request, ChangeOrigin origin,
                Done<WriteItemResponse> done) {
  SubmitSingle(core, PrepareDelete(core, request.table, request.key), std::move(request.options),
               origin, std::move(done));
}

void UpdateItem(Core& core, UpdateItemRequest request, ChangeOrigin origin,
                Done<WriteItemResponse> done) {
  SubmitSingle(
      core, PrepareUpdate(core, request.table, std::move(request.key), std::move(request.update)),
      std::move(request.options), origin, std::move(done));
}

}  // namespace tintype::tables::engine
