#include <unordered_set>

#include "tables/engine/commit/task.h"
#include "tables/engine/items/item_write.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/items/transactions.h"
#include "tables/engine/rows/item_keys.h"
#include "tables/language/errors.h"
#include "tables/language/limits.h"

namespace tintype::tables::engine {
namespace {

using Action = TransactWriteItemsRequest::Action;

// The item or key of an action: where its key attributes are.
MapView KeyAttributes(const Action& action) {
  return std::visit(
      [](const auto& what) {
        if constexpr (requires { what.item; }) {
          return what.item.view();
        } else {
          return what.key.view();
        }
      },
      action.what);
}

size_t PayloadBytes(const UpdateOperand& operand) {
  size_t bytes = operand.value ? ValueSizeBytes(operand.value->view()) : 0;
  for (const UpdateOperand& inner : operand.operands) {
    bytes += PayloadBytes(inner);
  }
  return bytes;
}

// What an action brings along. Data that is stored already does not count, so that many large items
// can be deleted at once.
size_t PayloadBytes(const Action& action) {
  size_t bytes = ItemSizeBytes(KeyAttributes(action));
  if (const auto* what = std::get_if<TransactWriteItemsRequest::UpdateAction>(&action.what)) {
    for (const Update::Set& set : what->update.sets) {
      bytes += PayloadBytes(set.value);
    }
    for (const Update::Add& add : what->update.adds) {
      bytes += ValueSizeBytes(add.value.view());
    }
    for (const Update::Delete& del : what->update.deletes) {
      bytes += ValueSizeBytes(del.value.view());
    }
  }
  return bytes;
}

Status CheckPayload(const TransactWriteItemsRequest& request) {
  size_t bytes = 0;
  for (const Action& action : request.actions) {
    bytes += PayloadBytes(action);
  }
  if (bytes > limits::kTransactBytes) {
    return Error::Validation("Transaction payload size cannot exceed 4 MB");
  }
  return OkStatus();
}

Result<ItemWrite> PrepareAction(Core& core, Action& action) {
  if (auto* put = std::get_if<TransactWriteItemsRequest::Put>(&action.what)) {
    return PreparePut(core, action.table, std::move(put->item));
  }
  if (auto* update = std::get_if<TransactWriteItemsRequest::UpdateAction>(&action.what)) {
    return PrepareUpdate(core, action.table, std::move(update->key), std::move(update->update));
  }
  if (const auto* remove = std::get_if<TransactWriteItemsRequest::Delete>(&action.what)) {
    return PrepareDelete(core, action.table, remove->key);
  }
  return PrepareCheck(core, action.table,
                      std::get<TransactWriteItemsRequest::Check>(action.what).key);
}

Result<std::vector<ItemWrite>> PrepareTransaction(Core& core, TransactWriteItemsRequest& request,
                                                  ChangeOrigin origin) {
  RETURN_IF_ERROR(CheckPayload(request));
  std::vector<ItemWrite> writes;
  std::unordered_set<std::string> seen;
  for (size_t i = 0; i < request.actions.size(); ++i) {
    Action& action = request.actions[i];
    ASSIGN_OR_RETURN(const TablePtr table, core.tables.Find(action.table));
    RETURN_IF_ERROR(CheckKeysNotEmpty(*table, KeyAttributes(action)));
    RETURN_IF_ERROR(CheckKeyPaths(*table, action.condition));
    Result<ItemWrite> write = PrepareAction(core, action);
    if (!write.ok()) {
      if (!Cancellation::IsActionError(write.error())) {
        return std::move(write).error();
      }
      // The first action that cannot be is the only one that is reported.
      Cancellation cancellation(request.actions.size());
      cancellation.Add(i, write.error());
      return std::move(cancellation).ToError();
    }
    if (!seen.insert(write->key).second) {
      return Error::Validation(
          "Transaction request cannot include multiple operations on one item");
    }
    write->condition = std::move(action.condition);
    write->return_old_on_condition_failure = action.return_old_on_condition_failure;
    write->origin = origin;
    writes.push_back(std::move(*write));
  }
  return writes;
}

struct Transaction {
  std::vector<ItemWrite> writes;
  std::optional<std::string> token;
  std::string digest;
  ReturnCapacity return_capacity;
  bool return_collection_metrics;

  Result<TransactWriteItemsResponse> operator()(CommitGroup& group) {
    Core& core = group.core();
    if (token) {
      if (const auto used_with = core.tokens.Find(*token, group.now_ms())) {
        return Repeat(group, *used_with);
      }
    }
    // All conditions see the items as they are before the transaction: nothing is staged until
    // everything is decided, and no item is written twice.
    ASSIGN_OR_RETURN(std::vector<ItemChange> changes, DecideAll(group));
    TransactWriteItemsResponse response;
    for (size_t i = 0; i < writes.size(); ++i) {
      const TableInfo& table = *writes[i].table;
      if (return_collection_metrics && !std::holds_alternative<ItemWrite::Check>(writes[i].what)) {
        if (auto metrics = CollectionMetrics(core, writes[i], changes[i])) {
          AddMetrics(response.collection_metrics, table.definition.name, std::move(*metrics));
        }
      }
      const WriteCharge charge = group.Stage(table, writes[i].key, changes[i].old_item,
                                             std::move(changes[i].new_item), writes[i].origin);
      if (return_capacity != ReturnCapacity::kNone) {
        AddWriteCharge(CapacityFor(response.capacity, table, return_capacity, true), charge, true);
      }
    }
    if (token) {
      core.tokens.Add(*token, digest, group.now_ms(), group.batch(), *core.storage);
      group.OnDropped([&core, used = *token] { core.tokens.TakeBack(used); });
    }
    return response;
  }

  Result<std::vector<ItemChange>> DecideAll(CommitGroup& group) {
    std::vector<ItemChange> changes;
    Cancellation cancellation(writes.size());
    for (size_t i = 0; i < writes.size(); ++i) {
      Result<ItemChange> change = Decide(group, writes[i]);
      if (change.ok()) {
        changes.push_back(std::move(*change));
      } else if (Cancellation::IsActionError(change.error())) {
        cancellation.Add(i, change.error());
      } else {
        return std::move(change).error();
      }
    }
    if (cancellation.any()) {
      return std::move(cancellation).ToError();
    }
    return changes;
  }

  // The transaction was applied before: nothing changes, and only the reading of its items is
  // charged.
  Result<TransactWriteItemsResponse> Repeat(CommitGroup& group, std::string_view used_with) {
    if (used_with != digest) {
      return Error(tables::reasons::kIdempotentMismatch,
                   "The request uses the same client token as a previous, but non-identical "
                   "request. Do not reuse a client token with different requests, unless the "
                   "requests are identical");
    }
    TransactWriteItemsResponse response;
    if (return_capacity != ReturnCapacity::kNone) {
      for (const ItemWrite& write : writes) {
        ASSIGN_OR_RETURN(const std::optional<Item> item, group.Read(write.key));
        CapacityFor(response.capacity, *write.table, return_capacity, true).table_units.read +=
            2 * ReadUnits(item ? ItemSizeBytes(item->view()) : 0, true);
      }
    }
    return response;
  }
};

}  // namespace

void TransactWriteItems(Core& core, TransactWriteItemsRequest request, ChangeOrigin origin,
                        Done<TransactWriteItemsResponse> done) {
  Result<std::vector<ItemWrite>> writes = PrepareTransaction(core, request, origin);
  if (!writes.ok()) {
    done(std::move(writes).error());
    return;
  }
  const Space space = SpaceOf(!OnlyRemoves(*writes), origin);
  SubmitWrite<TransactWriteItemsResponse>(
      core, space,
      Transaction{std::move(*writes), std::move(request.client_token),
                  std::move(request.parameters_digest), request.return_capacity,
                  request.return_collection_metrics},
      std::move(done));
}

}  // namespace tintype::tables::engine
