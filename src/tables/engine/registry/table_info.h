#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tables/engine/changes/change_record.h"
#include "tables/engine/storage/key_codec.h"
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
  /// Adds the path's attribute to `missing`, once, unless entries have it.
  void NoteUnprojected(const Path& path, std::vector<std::string>& missing) const;
};

/// Point-in-time recovery of a table.
struct RecoveryInfo {
  Position since = 0;  // Changes from here on are in the log, with what was there before.
  int64_t days = 35;
};

/// Which attribute says when an item is to go.
struct TimeToLiveInfo {
  std::string attribute;
  /// True while items that were there before are still being looked at.
  bool enabling = false;
};

/// Where a table came from, if it was restored.
struct RestoreInfo {
  enum class From : uint8_t { kTime, kBackupFiles, kDeletedTable };
  From from = From::kTime;
  TableId source = 0;     // Whose rows are copied; for kBackupFiles, whose they once were.
  std::string backup_id;  // Empty for kTime.
  std::string source_table_arn;
  std::optional<std::string> source_backup_arn;
  int64_t time_ms = 0;
  bool in_progress = false;
};

/// What the engine knows of one table. Immutable once published in the TableRegistry: a change
/// makes a new one. Stored as an item in the `meta` column family (docs/formats/meta.md).
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
  /// Where the latest stream begins; it may be disabled by now. Its label is its time.
  std::optional<Position> stream_since;
  std::optional<RecoveryInfo> recovery;
  std::optional<TimeToLiveInfo> time_to_live;
  std::optional<RestoreInfo> restore;
  Tags tags;
  /// Attached to the table, with its indexes, and to its enabled stream. Shared with those who
  /// decide by it while it is being replaced; null when there is none.
  std::shared_ptr<const ResourcePolicy> policy;
  std::shared_ptr<const ResourcePolicy> stream_policy;

  // Derived; not stored.
  KeyAttribute hash;
  std::optional<KeyAttribute> range;

  /// Fills in what is derived, here and in the indexes. Call after any change to the definition.
  void Derive();

  const IndexInfo* FindIndex(std::string_view name) const;
  /// True if changes to this table are to be recorded in the change log.
  bool logs_changes() const { return definition.stream || recovery; }
  /// What those records hold.
  LoggedImages logged_images() const {
    const StreamView view = definition.stream.value_or(StreamView::kKeysOnly);
    const bool both = view == StreamView::kNewAndOldImages;
    return {.old_image = both || view == StreamView::kOldImage || recovery.has_value(),
            .new_image = both || view == StreamView::kNewImage};
  }
  /// True while its contents are still being restored: it is described, but not read or written.
  bool creating() const { return restore && restore->in_progress; }
  bool has_local_indexes() const;
  /// Of the table, or of its stream.
  bool has_policy() const { return policy != nullptr || stream_policy != nullptr; }
  /// The type declared for an attribute. REQUIRES: it is declared.
  Type AttributeType(std::string_view name) const;

  Item ToStored() const;
  /// Fails with kCorruption when the item is not one that ToStored writes.
  static Result<TableInfo> FromStored(MapView stored);
};

// Published tables are shared by the requests that are using them.
using TablePtr = std::shared_ptr<const TableInfo>;

}  // namespace tintype::tables::engine
