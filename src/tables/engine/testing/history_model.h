#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tables/language/schema.h"
#include "tables/language/values/value.h"

/// A table as a test believes it to be and to have been.
namespace tintype::tables::engine {

using ItemsByKey = std::map<std::string, Item>;

struct ModelChange {
  std::optional<Item> before;
  std::optional<Item> after;
  bool expired = false;
};

struct ModelStream {
  std::string arn;
  StreamView view = StreamView::kKeysOnly;
  std::map<std::string, std::vector<ModelChange>> changes;  // By key, in order.

  bool shows_old() const {
    return view == StreamView::kOldImage || view == StreamView::kNewAndOldImages;
  }
  bool shows_new() const {
    return view == StreamView::kNewImage || view == StreamView::kNewAndOldImages;
  }
};

struct ModelTable {
  std::string name;
  bool recovery = false;
  bool streaming = false;  // To the last of `streams`.
  ItemsByKey items;
  std::vector<ModelStream> streams;
  std::vector<std::pair<int64_t, ItemsByKey>> moments;
  std::vector<std::pair<std::string, ItemsByKey>> backups;  // By ARN.

  std::optional<Item> Known(const std::string& key) const {
    const auto found = items.find(key);
    return found == items.end() ? std::nullopt : std::optional(found->second);
  }

  /// The item is `after` from now on. A write that changes nothing is no change.
  void Remember(const std::string& key, std::optional<Item> after, bool expired = false) {
    std::optional<Item> before = Known(key);
    if (before == after) {
      return;
    }
    if (streaming) {
      streams.back().changes[key].push_back({before, after, expired});
    }
    if (after) {
      items.insert_or_assign(key, *std::move(after));
    } else {
      items.erase(key);
    }
  }
};

}  // namespace tintype::tables::engine
