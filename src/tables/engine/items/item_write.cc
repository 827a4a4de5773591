#include "tables/engine/items/item_write.h"

#include <algorithm>
#include <cmath>

#include "base/strings.h"
#include "tables/engine/rows/item_keys.h"
#include "tables/language/values/item_size.h"

namespace tintype::tables::engine {
namespace {

Error ConditionFailed(const ItemWrite& write, const std::optional<Item>& item) {
  Error error(ErrorKind::kConditionFailed, "The conditional request failed");
  if (!write.return_old_on_condition_failure || !item) {
    return error;
  }
  auto detail = std::make_shared<ConditionFailedDetail>();
  detail->item = item;
  return std::move(error).WithDetail(std::move(detail));
}

Status CheckReadPaths(const TableInfo& table, const UpdateOperand& operand) {
  if (operand.kind == UpdateOperand::Kind::kPath ||
      operand.kind == UpdateOperand::Kind::kIfNotExists) {
    RETURN_IF_ERROR(CheckKeyPath(table, operand.path));
  }
  for (const UpdateOperand& inner : operand.operands) {
    RETURN_IF_ERROR(CheckReadPaths(table, inner));
  }
  return OkStatus();
}

Status CheckUpdatedPaths(const TableInfo& table, const Update& update) {
  for (const Path& path : update.WrittenPaths()) {
    if (table.definition.keys.Contains(path.attribute())) {
      return Error::Validation(
          StrCat("One or more parameter values were invalid: Cannot update attribute ",
                 path.attribute(), ". This attribute is part of the key"));
    }
    RETURN_IF_ERROR(CheckKeyPath(table, path));
  }
  for (const Update::Set& set : update.sets) {
    RETURN_IF_ERROR(CheckReadPaths(table, set.value));
  }
  return OkStatus();
}

// The schema may have changed, or the table may be another one of the same name, since the request
// was checked on another thread.
Status RefreshTable(Core& core, ItemWrite& write) {
  TablePtr current = core.tables.FindOrNull(write.table->definition.name);
  if (current == write.table) {
    return OkStatus();
  }
  if (!current || current->id != write.table->id) {
    return Error::NotFound("Requested resource not found");
  }
  write.table = std::move(current);
  if (const auto* put = std::get_if<ItemWrite::Put>(&write.what)) {
    RETURN_IF_ERROR(CheckIndexKeys(*write.table, put->item.view()));
  }
  return OkStatus();
}

// An update that only takes away leaves no trace of an item that was not there.
bool CreatesItem(const Update& update) {
  return update.empty() || !update.sets.empty() || !update.adds.empty();
}

Result<std::optional<Item>> ApplyUpdate(const TableInfo& table, const ItemWrite::Change& change,
                                        const std::optional<Item>& old_item) {
  ASSIGN_OR_RETURN(Item updated,
                   change.update.Apply(old_item ? old_item->view() : MapView(), change.key.view()));
  if (!old_item && !CreatesItem(change.update)) {
    return std::optional<Item>();
  }
  RETURN_IF_ERROR(CheckItemSize(updated.view(), SizedItem::kUpdated));
  RETURN_IF_ERROR(
      CheckUpdatedIndexKeys(table, updated.view(), old_item ? old_item->view() : MapView()));
  return std::optional(std::move(updated));
}

}  // namespace

Result<ItemWrite> PreparePut(Core& core, std::string_view table, Item item) {
  ItemWrite write;
  RETURN_IF_ERROR(CheckItemSize(item.view(), SizedItem::kPut));
  ASSIGN_OR_RETURN(write.table, core.tables.Find(table));
  ASSIGN_OR_RETURN(write.key, EncodeItemKey(*write.table, item.view()));
  write.what = ItemWrite::Put{std::move(item)};
  return write;
}

Result<ItemWrite> PrepareDelete(Core& core, std::string_view table, const Item& key) {
  ItemWrite write;
  ASSIGN_OR_RETURN(write.table, core.tables.Find(table));
  ASSIGN_OR_RETURN(write.key, EncodeRequestKey(*write.table, key.view()));
  write.what = ItemWrite::Delete{};
  return write;
}

Result<ItemWrite> PrepareUpdate(Core& core, std::string_view table, Item key, Update update) {
  ItemWrite write;
  ASSIGN_OR_RETURN(write.table, core.tables.Find(table));
  ASSIGN_OR_RETURN(write.key, EncodeRequestKey(*write.table, key.view()));
  RETURN_IF_ERROR(CheckUpdatedPaths(*write.table, update));
  write.what = ItemWrite::Change{std::move(key), std::move(update)};
  return write;
}

Result<ItemWrite> PrepareCheck(Core& core, std::string_view table, const Item& key) {
  ASSIGN_OR_RETURN(ItemWrite write, PrepareDelete(core, table, key));
  write.what = ItemWrite::Check{};
  return write;
}

Result<ItemChange> Decide(CommitGroup& group, ItemWrite& write) {
  RETURN_IF_ERROR(RefreshTable(group.core(), write));
  ItemChange change;
  ASSIGN_OR_RETURN(change.old_item, group.Read(write.key));
  const MapView old_view = change.old_item ? change.old_item->view() : MapView();
  if (write.condition && !write.condition->Holds(old_view)) {
    return ConditionFailed(write, change.old_item);
  }
  if (auto* put = std::get_if<ItemWrite::Put>(&write.what)) {
    change.new_item = std::move(put->item);
  } else if (const auto* update = std::get_if<ItemWrite::Change>(&write.what)) {
    ASSIGN_OR_RETURN(change.new_item, ApplyUpdate(*write.table, *update, change.old_item));
  } else if (std::holds_alternative<ItemWrite::Check>(write.what)) {
    change.new_item = change.old_item;
  }
  return change;
}

std::optional<ItemCollectionMetrics> CollectionMetrics(Core& core, const ItemWrite& write,
                                                       const ItemChange& change) {
  if (!write.table->has_local_indexes() || (!change.old_item && !change.new_item)) {
    return std::nullopt;
  }
  const TableInfo& table = *write.table;
  const Item& item = change.new_item ? *change.new_item : *change.old_item;
  const ValueView hash = item.Find(table.hash.name).value();
  std::string components;
  AppendKeyComponent(components, hash);
  uint64_t bytes = 0;
  const auto add_partition = [&](IndexId index) {
    std::string first;
    AppendPartitionPrefix(first, table.id, index, components);
    const std::string last = PrefixSuccessor(first);
    const rocksdb::Range range(first, last);
    uint64_t size = 0;
    rocksdb::SizeApproximationOptions options;
    options.include_memtables = true;
    options.include_files = true;
    if (core.storage->db()
            .GetApproximateSizes(options, core.storage->data(), &range, 1, &size)
            .ok()) {
      bytes += size;
    }
  };
  add_partition(kTableItself);
  for (const IndexInfo& index : table.indexes) {
    if (index.local) {
      add_partition(index.id);
    }
  }
  ItemCollectionMetrics metrics;
  metrics.collection_key = Item::Of({{table.hash.name, Value::Copy(hash)}});
  // DynamoDB gives a range one gigabyte wide.
  metrics.size_gb_low = std::floor(static_cast<double>(bytes) / (1024.0 * 1024 * 1024));
  metrics.size_gb_high = metrics.size_gb_low + 1;
  return metrics;
}

void AddMetrics(MetricsByTable& all, const std::string& table, ItemCollectionMetrics metrics) {
  auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.first == table; });
  if (found == all.end()) {
    found = all.emplace(all.end(), table, std::vector<ItemCollectionMetrics>());
  }
  // One entry per partition, however many of its items were written.
  const bool known = std::any_of(found->second.begin(), found->second.end(),
                                 [&](const ItemCollectionMetrics& other) {
                                   return other.collection_key == metrics.collection_key;
                                 });
  if (!known) {
    found->second.push_back(std::move(metrics));
  }
}

}  // namespace tintype::tables::engine
