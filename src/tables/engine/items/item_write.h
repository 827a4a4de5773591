#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tables/engine/commit/commit_group.h"
#include "tables/engine/commit/core.h"
#include "tables/language/requests.h"

namespace tintype::tables::engine {

/// One action on one item, checked against its table and ready for the commit thread. What single
/// writes, batches and transactions are all made of.
struct ItemWrite {
  struct Put {
    Item item;
  };
  struct Delete {};
  struct Change {
    Item key;
    Update update;
  };
  struct Check {};

  TablePtr table;
  std::string key;  // Of the `data` column family.
  std::variant<Put, Delete, Change, Check> what;
  std::optional<Condition> condition;
  bool return_old_on_condition_failure = false;
  ChangeOrigin origin = ChangeOrigin::kEndpoint;

  /// An update may make an item smaller, but that is not known before it is evaluated.
  bool adds_data() const {
    return std::holds_alternative<Put>(what) || std::holds_alternative<Change>(what);
  }
};

/// Whether writes that go together only remove.
inline bool OnlyRemoves(std::span<const ItemWrite> writes) {
  return std::ranges::none_of(writes, &ItemWrite::adds_data);
}

/// What an action found and what it makes of it.
struct ItemChange {
  std::optional<Item> old_item;
  std::optional<Item> new_item;
};

/// Each looks up the table and checks what can be checked without the item.
Result<ItemWrite> PreparePut(Core& core, std::string_view table, Item item);
Result<ItemWrite> PrepareDelete(Core& core, std::string_view table, const Item& key);
Result<ItemWrite> PrepareUpdate(Core& core, std::string_view table, Item key, Update update);
Result<ItemWrite> PrepareCheck(Core& core, std::string_view table, const Item& key);

/// On the commit thread: reads the item, evaluates the condition, computes the new item. Stages
/// nothing. A table that was changed since Prepare is looked up again.
Result<ItemChange> Decide(CommitGroup& group, ItemWrite& write);

/// The partition that `item` is in and its estimated size, if its table has local indexes.
std::optional<ItemCollectionMetrics> CollectionMetrics(Core& core, const ItemWrite& write,
                                                       const ItemChange& change);

/// Collection metrics of a response that reports several tables.
using MetricsByTable = std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>>;
void AddMetrics(MetricsByTable& all, const std::string& table, ItemCollectionMetrics metrics);

}  // namespace tintype::tables::engine
