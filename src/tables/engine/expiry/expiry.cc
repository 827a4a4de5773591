#include "tables/engine/expiry/expiry.h"

#include <algorithm>
#include <future>
#include <memory>

#include "base/logging.h"
#include "tables/engine/commit/commit_group.h"
#include "tables/engine/commit/core.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/rows/expiry_index.h"

namespace tintype::tables::engine {
namespace {

// Other writes wait no longer for a chunk than for a few of each other.
constexpr size_t kChunkItems = 50;
// As DynamoDB: a time further back than this is taken for a mistake.
constexpr int64_t kPlausibleSeconds = int64_t{5} * 365 * 24 * 60 * 60;

struct DueEntry {
  std::string key;       // Of the entry.
  std::string data_key;  // Of the item.
};

// Bounds of the entries that are due now.
std::pair<std::string, std::string> DueRange(TableId table, int64_t now_seconds) {
  const auto bound = [table](int64_t seconds) {
    std::string key;
    AppendKeyPrefix(key, table, kExpiryIndex);
    AppendBigEndian64(key, static_cast<uint64_t>(std::max<int64_t>(seconds, 0)));
    return key;
  };
  return {bound(now_seconds - kPlausibleSeconds), bound(now_seconds + 1)};
}

Result<std::vector<DueEntry>> FindDue(Core& core, TableId table, size_t limit) {
  const auto [lower, upper] = DueRange(table, core.clock.NowMs() / 1000);
  const rocksdb::Slice upper_bound = upper;
  rocksdb::ReadOptions read;
  read.iterate_upper_bound = &upper_bound;
  const std::unique_ptr<rocksdb::Iterator> it(
      core.storage->db().NewIterator(read, core.storage->data()));
  std::vector<DueEntry> due;
  for (it->Seek(std::max(lower, core.expiry_cursors.Get(table))); it->Valid() && due.size() < limit;
       it->Next()) {
    DueEntry entry;
    entry.key = it->key().ToString();
    AppendKeyPrefix(entry.data_key, table, kTableItself);
    entry.data_key.append(entry.key, kKeyPrefixBytes + kExpirySecondsBytes);
    due.push_back(std::move(entry));
  }
  if (!it->status().ok()) {
    return FromRocksDb(it->status());
  }
  return due;
}

// Removes one chunk. Returns true when more may be due.
Result<bool> RemoveChunk(CommitGroup& group, const std::string& name, TableId id) {
  Core& core = group.core();
  const TablePtr table = core.tables.FindOrNull(name);
  if (!table || table->id != id || !table->time_to_live || table->creating()) {
    return false;
  }
  ASSIGN_OR_RETURN(const std::vector<DueEntry> due, FindDue(core, id, kChunkItems));
  std::vector<std::optional<Item>> items;
  for (const DueEntry& entry : due) {
    ASSIGN_OR_RETURN(std::optional<Item> item, group.Read(entry.data_key));
    items.push_back(std::move(item));
  }
  for (size_t i = 0; i < due.size(); ++i) {
    if (items[i]) {
      group.Stage(*table, due[i].data_key, items[i], std::nullopt, ChangeOrigin::kExpiry);
    } else {
      LogError("an expiry entry without an item was removed", {{"table", name}});
      group.batch().Delete(core.storage->data(), due[i].key).PermitUncheckedError();
    }
  }
  if (!due.empty()) {
    // Once it is on disk; whatever is added before it from then on lowers the cursor again.
    group.OnWritten([&core, id, last = due.back().key] { core.expiry_cursors.Set(id, last); });
  }
  return due.size() == kChunkItems;
}

}  // namespace

Result<bool> RemoveExpiredItems(Core& core, const TableInfo& table) {
  ASSIGN_OR_RETURN(const std::vector<DueEntry> due, FindDue(core, table.id, 1));
  if (due.empty()) {
    return false;
  }
  std::promise<Result<bool>> removed;
  SubmitOwnWork<bool>(
      core, Space::kFrees,
      [&table](CommitGroup& group) { return RemoveChunk(group, table.definition.name, table.id); },
      [&removed](Result<bool> more) { removed.set_value(std::move(more)); });
  return removed.get_future().get();
}

}  // namespace tintype::tables::engine
