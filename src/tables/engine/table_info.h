#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tables/engine/key_codec.h"
#include "tables/language/requests.h"
#include "tables/language/schema.h"

namespace tintype::tables::engine {

/// A key attribute with its type looked up.
using KeyAttribute = AttributeDefinition;

/// What the engine knows of one index.
struct IndexInfo {
  IndexId id = 0;
  bool local = false;
  IndexDefinition definition;
  /// kCreating while it is being filled: written to, but not yet read from.
  IndexStatus status = IndexStatus::kActive;

  // Derived from the table when it is made; not stored.
  std::vector<KeyAttribute> hash;
  std::vector<KeyAttribute> range;
  /// Names that an entry holds, sorted; empty for a projection of ALL.
  std::vector<std::string> projected;

  /// Entries are stored in descending order of their range attributes; key_codec.h says why.
  bool descending() const { return !local; }
  bool projects_all() const { return definition.projection.kind == IndexProjection::Kind::kAll; }
  /// True if `attribute` is in every entry that has it in the table.
  bool Projects(std::string_view attribute) const;
};

/// What the engine knows of one table. Immutable once published in the Catalog: a change makes a
/// new one. Stored as an item in the `meta` column family (docs/formats/meta.md).
struct TableInfo {
  TableId id = 0;
  TableDefinition definition;  // Index lists empty; see `indexes`.
  std::vector<IndexInfo> indexes;
  IndexId next_index_id = 1;
  std::string uuid;
  int64_t created_ms = 0;
  std::optional<int64_t> on_demand_since_ms;
  std::optional<int64_t> class_changed_ms;
  std::optional<int64_t> last_increase_ms;
  std::optional<int64_t> last_decrease_ms;
  int64_t decreases_today = 0;
  std::optional<int64_t> stream_since_ms;
  Tags tags;

  // Derived; not stored.
  KeyAttribute hash;
  std::optional<KeyAttribute> range;

  /// Fills in what is derived, here and in the indexes. Call after any change to the definition.
  void Derive();

  const IndexInfo* FindIndex(std::string_view name) const;
  /// True if changes to this table are to be recorded in the change log.
  bool logs_changes() const { return definition.stream.has_value(); }
  bool has_local_indexes() const;
  /// The type declared for an attribute. REQUIRES: it is declared.
  Type AttributeType(std::string_view name) const;

  Item ToStored() const;
  /// Fails with kCorruption when the item is not one that ToStored writes.
  static Result<TableInfo> FromStored(MapView stored);
};

// Published tables are shared by the requests that are using them.
using TablePtr = std::shared_ptr<const TableInfo>;

}  // namespace tintype::tables::engine
