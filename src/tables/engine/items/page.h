#pragma once

#include <string>

#include "tables/engine/commit/core.h"
#include "tables/language/requests.h"

/// What Query and Scan share: choosing an index, start keys, and reading one page.
namespace tintype::tables::engine {

/// A stretch of a table or index to read, in key order.
struct PagePlan {
  TablePtr table;
  const IndexInfo* index = nullptr;  // Null for the table itself. Points into `table`.
  std::string lower;                 // First key that may be read.
  std::string upper;                 // First key after those that may be read.
  bool forward = true;               // In the order of the stored keys; see descending().
  /// Attributes are needed that the (local) index lacks: each item is looked up in the table.
  bool fetch_items = false;

  const std::vector<KeyAttribute>& IndexHash() const;
  const std::vector<KeyAttribute>& IndexRange() const;
  bool descending() const { return index != nullptr && index->descending(); }
  IndexId index_id() const { return index == nullptr ? kTableItself : index->id; }

  // Backing for a table's own key in the form that indexes have theirs.
  std::vector<KeyAttribute> table_hash;
  std::vector<KeyAttribute> table_range;
};

/// Looks up table and index and checks that the options fit them.
Result<PagePlan> PlanPage(Core& core, std::string_view table, const ReadOptions& options);

/// The key in `data` that an ExclusiveStartKey stands for. Fails when it has not exactly the key
/// attributes of the index and the table (in the words of `wrong_attributes`), or one of another
/// type.
Result<std::string> EncodeStartKey(const PagePlan& plan, MapView start_key,
                                   std::string_view wrong_attributes);

inline constexpr std::string_view kStartKeyInvalid = "The provided starting key is invalid";
inline constexpr std::string_view kStartKeyMismatch =
    "The provided starting key is invalid: The provided key element does not match the schema";

/// Moves the plan's bounds behind a start key.
void StartAfter(PagePlan& plan, const std::string& key);

/// Reads until Limit, 1 MB or the end, whichever comes first.
Result<ReadResponse> ReadPage(Core& core, const PagePlan& plan, const ReadOptions& options);

}  // namespace tintype::tables::engine
