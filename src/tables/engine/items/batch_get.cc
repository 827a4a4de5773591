#include <unordered_set>

#include "tables/engine/items/found_item.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/rows/capacity.h"
#include "tables/engine/rows/item_keys.h"
#include "tables/language/limits.h"
#include "tables/language/table_name.h"

namespace tintype::tables::engine {
namespace {

// Where the key of each requested item is, table by table.
using Keys = std::vector<std::pair<TablePtr, std::vector<std::string>>>;

// All keys are checked before any is read.
Result<Keys> EncodeKeys(Core& core, const BatchGetItemRequest& request) {
  Keys keys;
  std::unordered_set<std::string> seen;
  for (const BatchGetItemRequest::Table& wanted : request.tables) {
    ASSIGN_OR_RETURN(TablePtr table, core.tables.Find(TableNameOf(wanted.table)));
    RETURN_IF_ERROR(CheckKeyPaths(*table, wanted.projection));
    std::vector<std::string> encoded;
    encoded.reserve(wanted.keys.size());
    for (const Item& key : wanted.keys) {
      ASSIGN_OR_RETURN(std::string bytes, EncodeRequestKey(*table, key.view()));
      encoded.push_back(std::move(bytes));
      if (!seen.insert(encoded.back()).second) {
        return Error::Validation("Provided list of item keys contains duplicates");
      }
    }
    keys.emplace_back(std::move(table), std::move(encoded));
  }
  return keys;
}

// A read in steps (read_steps.h).
class BatchGet {
 public:
  using Response = BatchGetItemResponse;

  BatchGet(Core& core, BatchGetItemRequest request, Keys keys)
      : core_(&core), request_(std::move(request)), keys_(std::move(keys)) {
    for (const BatchGetItemRequest::Table& wanted : request_.tables) {
      response_.items.emplace_back(wanted.table, std::vector<Item>());
    }
  }

  ReadPool::Length length() const {
    size_t count = 0;
    for (const auto& [table, keys] : keys_) {
      count += keys.size();
    }
    return count <= kShortKeys ? ReadPool::Length::kShort : ReadPool::Length::kLong;
  }

  size_t held_bytes() const { return answer_bytes_; }

  Result<bool> Continue(const ReadBudget& budget) {
    for (; table_ < keys_.size(); ++table_, key_ = 0) {
      for (; key_ < keys_[table_].second.size() && !full_; ++key_) {
        if (answer_bytes_ >= budget.bytes) {
          return false;
        }
        RETURN_IF_ERROR(ReadNext());
      }
      if (full_) {
        LeaveRest();
      }
    }
    return true;
  }

  BatchGetItemResponse Finish() { return std::move(response_); }

 private:
  Status ReadNext() {
    const BatchGetItemRequest::Table& wanted = request_.tables[table_];
    const auto& [table, keys] = keys_[table_];
    ASSIGN_OR_RETURN(FoundItem found, FindItem(*core_, *table, keys[key_], wanted.projection));
    full_ = answer_bytes_ + found.size_bytes > limits::kBatchGetBytes;
    if (full_) {
      rest_ = key_;
      return OkStatus();
    }
    if (request_.return_capacity != ReturnCapacity::kNone) {
      CapacityFor(response_.capacity, *table, request_.return_capacity, false).table_units.read +=
          ReadUnits(found.size_bytes, wanted.consistent_read);
    }
    answer_bytes_ += found.size_bytes;
    if (found.item) {
      response_.items[table_].second.push_back(*std::move(found.item));
    }
    return OkStatus();
  }

  // What of a table's keys no longer fits into the answer.
  void LeaveRest() {
    const std::vector<Item>& keys = request_.tables[table_].keys;
    if (rest_ < keys.size()) {
      response_.unprocessed.push_back(
          {table_,
           std::vector<Item>(keys.begin() + static_cast<std::ptrdiff_t>(rest_), keys.end())});
    }
    rest_ = 0;  // Of the next table, all.
  }

  Core* core_;
  BatchGetItemRequest request_;
  Keys keys_;
  BatchGetItemResponse response_;
  size_t answer_bytes_ = 0;
  bool full_ = false;
  size_t rest_ = 0;  // The first key of this table that does not fit, once it is full.
  // The next to read.
  size_t table_ = 0;
  size_t key_ = 0;
};

}  // namespace

void BatchGetItem(Core& core, BatchGetItemRequest request, ReadOn where,
                  Done<BatchGetItemResponse> done) {
  Result<Keys> keys = EncodeKeys(core, request);
  if (!keys.ok()) {
    done(std::move(keys).error());
    return;
  }
  RunInSteps(core, BatchGet(core, std::move(request), *std::move(keys)), where, std::move(done));
}

}  // namespace tintype::tables::engine
