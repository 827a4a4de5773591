#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tables/engine/commit/core.h"
#include "tables/engine/items/read_steps.h"
#include "tables/engine/storage/record.h"
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

/// Reads one page: until Limit, 1 MB or the end, whichever comes first. All of it is as of one
/// moment. A read in steps (read_steps.h).
class PageRead {
 public:
  using Response = ReadResponse;

  PageRead(Core& core, PagePlan plan, ReadOptions options);

  ReadPool::Length length() const;
  size_t held_bytes() const { return progress_.page_bytes; }
  Result<bool> Continue(const ReadBudget& budget);
  ReadResponse Finish();

 private:
  Result<bool> ReadOn(const ReadBudget& budget);
  /// Prepares for the next step. Returns false, as there is one.
  bool Pause();
  bool Take(const Record& entry, const Record& item);
  Result<Record> Fetch(MapView entry, rocksdb::PinnableSlice& fetched);
  Item EvaluatedKey(MapView entry) const;
  void AddCapacity();

  Core* core_;
  PagePlan plan_;
  ReadOptions options_;
  std::unique_ptr<ScopedSnapshot> snapshot_;  // Null if it begins anew when it cannot go on.

  // What was gathered, and what it has cost.
  struct Progress {
    ReadResponse response;
    size_t page_bytes = 0;   // What counts against the page.
    size_t entry_bytes = 0;  // What the table or index itself is charged for.
    double fetched_units = 0;
    std::optional<Item> last_key;
  };
  Progress progress_;
  bool paused_ = false;
  std::string last_read_;  // The last key that was taken, if there is a snapshot to go on with.
};

}  // namespace tintype::tables::engine
