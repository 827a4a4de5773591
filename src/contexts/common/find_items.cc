#include "contexts/common/find_items.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/strings.h"
#include "tables/language/limits.h"

namespace tintype::contexts {
namespace {

/// Whether an item may have this key: ids come from tables that others write, and one that is too
/// long to be a key must not spoil the page that it is on.
bool IsKey(const tables::Item& key) {
  for (const auto& [name, value] : key.view()) {
    const size_t bytes = value.payload().size();
    if (bytes == 0 || bytes > tables::limits::kHashKeyBytes) {
      return false;
    }
  }
  return true;
}

void DropUseless(std::vector<tables::Item>& keys) {
  std::erase_if(keys, [](const tables::Item& key) { return !IsKey(key); });
  std::ranges::sort(keys, {}, &tables::Item::payload);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

/// The last keys, as many as one call takes; they are removed from `keys`.
std::vector<tables::Item> TakeBatch(std::vector<tables::Item>& keys) {
  const size_t count = std::min(keys.size(), tables::limits::kBatchGetKeys);
  const auto first = keys.end() - static_cast<std::ptrdiff_t>(count);
  std::vector<tables::Item> batch(std::make_move_iterator(first),
                                  std::make_move_iterator(keys.end()));
  keys.erase(first, keys.end());
  return batch;
}

}  // namespace

Result<std::vector<tables::Item>> FindItems(tables::BlockingDatabase& database,
                                            std::string_view table,
                                            std::vector<tables::Item> keys) {
  DropUseless(keys);
  // Keys are left over when an answer grew to its limit, so a call that answers nothing at all is a
  // service that is short of something; a few of those in a row are enough.
  constexpr int kEmptyAnswersMax = 3;
  std::vector<tables::Item> found;
  found.reserve(keys.size());
  for (int empty_answers = 0; !keys.empty();) {
    std::vector<tables::Item> batch = TakeBatch(keys);
    const size_t asked = batch.size();
    tables::BatchGetItemRequest request;
    request.tables.push_back({.table = std::string(table),
                              .keys = std::move(batch),
                              .projection = {},
                              .consistent_read = true});
    ASSIGN_OR_RETURN(auto response, database.BatchGetItem(std::move(request)));
    for (auto& [name, items] : response.items) {
      std::ranges::move(items, std::back_inserter(found));
    }
    size_t left_over = 0;
    for (auto& unprocessed : response.unprocessed) {
      left_over += unprocessed.keys.size();
      std::ranges::move(unprocessed.keys, std::back_inserter(keys));
    }
    empty_answers = left_over == asked ? empty_answers + 1 : 0;
    if (empty_answers == kEmptyAnswersMax) {
      return Error(ErrorKind::kUnavailable, StrCat("The table ", table, " cannot be read now."));
    }
  }
  return found;
}

}  // namespace tintype::contexts
