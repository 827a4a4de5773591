#include <memory>
#include <unordered_set>

#include "tables/engine/items/found_item.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/items/transactions.h"
#include "tables/engine/rows/capacity.h"
#include "tables/engine/rows/item_keys.h"
#include "tables/language/limits.h"

namespace tintype::tables::engine {
namespace {

using Keys = std::vector<std::pair<TablePtr, std::string>>;

Result<Keys> EncodeKeys(Core& core, const TransactGetItemsRequest& request) {
  Keys keys;
  std::unordered_set<std::string> seen;
  Cancellation cancellation(request.gets.size());
  for (size_t i = 0; i < request.gets.size(); ++i) {
    ASSIGN_OR_RETURN(TablePtr table, core.tables.Find(request.gets[i].table));
    RETURN_IF_ERROR(CheckKeyPaths(*table, request.gets[i].projection));
    Result<std::string> key = EncodeRequestKey(*table, request.gets[i].key.view());
    if (!key.ok()) {
      cancellation.Add(i, key.error());
      continue;
    }
    if (!seen.insert(*key).second) {
      return Error::Validation(
          "Transaction request cannot include multiple operations on one item");
    }
    keys.emplace_back(std::move(table), std::move(*key));
  }
  if (cancellation.any()) {
    return std::move(cancellation).ToError();
  }
  return keys;
}

// A read in steps (read_steps.h).
class TransactGet {
 public:
  using Response = TransactGetItemsResponse;

  TransactGet(Core& core, TransactGetItemsRequest request, Keys keys)
      : core_(&core),
        request_(std::move(request)),
        keys_(std::move(keys)),
        snapshot_(std::make_unique<ScopedSnapshot>(core.storage->db())) {}

  ReadPool::Length length() const {
    return keys_.size() <= kShortKeys ? ReadPool::Length::kShort : ReadPool::Length::kLong;
  }

  size_t held_bytes() const { return total_bytes_; }

  Result<bool> Continue(const ReadBudget& budget) {
    while (response_.items.size() < keys_.size()) {
      if (total_bytes_ >= budget.bytes) {
        return false;
      }
      const size_t next = response_.items.size();
      ASSIGN_OR_RETURN(FoundItem found, FindItem(*core_, *keys_[next].first, keys_[next].second,
                                                 request_.gets[next].projection, snapshot_->get()));
      total_bytes_ += found.size_bytes;
      if (total_bytes_ > limits::kTransactBytes) {
        return Error::Validation(
            "Collection size of items in transaction exceeded the maximum allowed size");
      }
      if (request_.return_capacity != ReturnCapacity::kNone) {
        CapacityFor(response_.capacity, *keys_[next].first, request_.return_capacity, true)
            .table_units.read += 2 * ReadUnits(found.size_bytes, true);
      }
      response_.items.push_back(std::move(found.item));
    }
    return true;
  }

  TransactGetItemsResponse Finish() { return std::move(response_); }

 private:
  Core* core_;
  TransactGetItemsRequest request_;
  Keys keys_;
  // One snapshot is what makes it a transaction: all items are seen as of one moment.
  std::unique_ptr<ScopedSnapshot> snapshot_;
  TransactGetItemsResponse response_;
  size_t total_bytes_ = 0;
};

}  // namespace

void TransactGetItems(Core& core, TransactGetItemsRequest request, ReadOn where,
                      Done<TransactGetItemsResponse> done) {
  Result<Keys> keys = EncodeKeys(core, request);
  if (!keys.ok()) {
    done(std::move(keys).error());
    return;
  }
  RunInSteps(core, TransactGet(core, std::move(request), *std::move(keys)), where, std::move(done));
}

}  // namespace tintype::tables::engine
