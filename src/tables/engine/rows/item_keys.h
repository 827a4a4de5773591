#pragma once

#include <optional>
#include <string>

#include "tables/engine/registry/table_info.h"
#include "tables/language/expressions/condition.h"
#include "tables/language/expressions/projection.h"
#include "tables/language/values/value.h"

/// From items and key maps to keys of the `data` column family, with DynamoDB's checks on the way.
namespace tintype::tables::engine {

/// Keys of GetItem, DeleteItem and their like: exactly the key attributes, of the right types.
Result<std::string> EncodeRequestKey(const TableInfo& table, MapView key);

/// The key of an item to be written; also checks the item's index key attributes.
Result<std::string> EncodeItemKey(const TableInfo& table, MapView item);

/// Checks that index key attributes in `item` have the declared types and are not empty or too
/// long.
Status CheckIndexKeys(const TableInfo& table, MapView item);
/// The same of what an update made of `before`. Attributes that are as they were pass: an item
/// older than an index may have others, and can still be changed elsewhere.
Status CheckUpdatedIndexKeys(const TableInfo& table, MapView item, MapView before);

/// Checks that the key attributes among `attributes`, an item or a key, are not empty.
Status CheckKeysNotEmpty(const TableInfo& table, MapView attributes);

/// Checks that an item has its table's key attributes, in the terse words that batches have for it.
Status CheckHasKeys(const TableInfo& table, MapView item);

/// Checks that no path goes into a key attribute of the table or an index: those are scalars.
Status CheckKeyPath(const TableInfo& table, const Path& path);
template <typename Paths>
Status CheckKeyPaths(const TableInfo& table, const Paths& paths) {
  for (const Path& path : paths) {
    RETURN_IF_ERROR(CheckKeyPath(table, path));
  }
  return OkStatus();
}
Status CheckKeyPaths(const TableInfo& table, const std::optional<Condition>& condition);
Status CheckKeyPaths(const TableInfo& table, const std::optional<Projection>& projection);

/// The key of the item's entry in an index, or nothing if the item is not in it.
/// REQUIRES: CheckIndexKeys passed (else an attribute of another type counts as absent).
std::optional<std::string> EncodeIndexEntryKey(const TableInfo& table, const IndexInfo& index,
                                               MapView item);

/// What an index stores for an item.
std::string ProjectForIndex(const IndexInfo& index, MapView item);

/// Appends prefix, partition hash and hash attributes: where a partition's keys begin.
void AppendPartitionPrefix(std::string& out, TableId table, IndexId index,
                           std::string_view hash_components);

/// DynamoDB's limits on the size and emptiness of one key attribute of a table.
Status CheckTableKeyValue(std::string_view name, ValueView value, bool is_hash);

}  // namespace tintype::tables::engine
