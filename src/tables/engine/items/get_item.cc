#include <unordered_set>

#include "base/strings.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/items/transactions.h"
#include "tables/engine/rows/capacity.h"
#include "tables/engine/rows/item_keys.h"
#include "tables/engine/storage/record.h"
#include "tables/language/limits.h"
#include "tables/language/table_name.h"

namespace tintype::tables::engine {
namespace {

// An item as it is stored and as the request wants to see it.
struct FoundItem {
  size_t size_bytes = 0;  // 0 when there is none.
  std::optional<Item> item;
};

Result<FoundItem> ReadItem(Core& core, std::string_view key,
                           const std::optional<Projection>& projection,
                           const rocksdb::Snapshot* snapshot = nullptr) {
  rocksdb::PinnableSlice value;
  ASSIGN_OR_RETURN(const bool found, core.storage->Get(key, value, snapshot));
  FoundItem result;
  if (found) {
    const Record record = Record::Decode(ToView(value));
    result.size_bytes = record.size_bytes;
    result.item = projection ? projection->Apply(record.item) : Item::Copy(record.item);
  }
  return result;
}

}  // namespace

Result<GetItemResponse> GetItem(Core& core, const GetItemRequest& request) {
  ASSIGN_OR_RETURN(const TablePtr table, core.catalog.Find(request.table));
  ASSIGN_OR_RETURN(const std::string key, EncodeRequestKey(*table, request.key.view()));
  RETURN_IF_ERROR(CheckKeyPaths(*table, request.projection));
  ASSIGN_OR_RETURN(FoundItem found, ReadItem(core, key, request.projection));
  GetItemResponse response;
  response.item = std::move(found.item);
  if (request.return_capacity != ReturnCapacity::kNone) {
    response.capacity = StartCapacity(*table, request.return_capacity, false);
    response.capacity->table_units.read = ReadUnits(found.size_bytes, request.consistent_read);
  }
  return response;
}

Result<BatchGetItemResponse> BatchGetItem(Core& core, const BatchGetItemRequest& request) {
  // All keys are checked before any is read.
  std::vector<std::pair<TablePtr, std::vector<std::string>>> keys;
  std::unordered_set<std::string> seen;
  for (const BatchGetItemRequest::Table& wanted : request.tables) {
    ASSIGN_OR_RETURN(TablePtr table, core.catalog.Find(TableNameOf(wanted.table)));
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
  BatchGetItemResponse response;
  size_t answer_bytes = 0;
  bool full = false;
  for (size_t i = 0; i < request.tables.size(); ++i) {
    const BatchGetItemRequest::Table& wanted = request.tables[i];
    std::vector<Item>& items =
        response.items.emplace_back(wanted.table, std::vector<Item>()).second;
    for (size_t k = 0; k < wanted.keys.size(); ++k) {
      ASSIGN_OR_RETURN(FoundItem found, ReadItem(core, keys[i].second[k], wanted.projection));
      full = full || answer_bytes + found.size_bytes > limits::kBatchGetBytes;
      if (full) {
        response.unprocessed.push_back(
            {i, std::vector<Item>(wanted.keys.begin() + static_cast<std::ptrdiff_t>(k),
                                  wanted.keys.end())});
        break;
      }
      if (request.return_capacity != ReturnCapacity::kNone) {
        CapacityFor(response.capacity, *keys[i].first, request.return_capacity, false)
            .table_units.read += ReadUnits(found.size_bytes, wanted.consistent_read);
      }
      answer_bytes += found.size_bytes;
      if (found.item) {
        items.push_back(std::move(*found.item));
      }
    }
  }
  return response;
}

Result<TransactGetItemsResponse> TransactGetItems(Core& core,
                                                  const TransactGetItemsRequest& request) {
  std::vector<std::pair<TablePtr, std::string>> keys;
  std::unordered_set<std::string> seen;
  Cancellation cancellation(request.gets.size());
  for (size_t i = 0; i < request.gets.size(); ++i) {
    ASSIGN_OR_RETURN(TablePtr table, core.catalog.Find(request.gets[i].table));
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
  // One snapshot is what makes it a transaction: all items are seen as of one moment.
  const ScopedSnapshot snapshot(core.storage->db());
  TransactGetItemsResponse response;
  size_t total_bytes = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    ASSIGN_OR_RETURN(FoundItem found,
                     ReadItem(core, keys[i].second, request.gets[i].projection, snapshot.get()));
    total_bytes += found.size_bytes;
    if (total_bytes > limits::kTransactBytes) {
      return Error::Validation(
          "Collection size of items in transaction exceeded the maximum allowed size");
    }
    if (request.return_capacity != ReturnCapacity::kNone) {
      CapacityFor(response.capacity, *keys[i].first, request.return_capacity, true)
          .table_units.read += 2 * ReadUnits(found.size_bytes, true);
    }
    response.items.push_back(std::move(found.item));
  }
  return response;
}

}  // namespace tintype::tables::engine
