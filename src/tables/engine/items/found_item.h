#pragma once

#include <optional>
#include <string_view>

#include "tables/engine/commit/core.h"
#include "tables/language/expressions/projection.h"

namespace tintype::tables::engine {

/// An item as it is stored and as a request wants to see it.
struct FoundItem {
  size_t size_bytes = 0;  // 0 when there is none.
  std::optional<Item> item;
};

/// Reads the item of a table under its key in `data`. Fails if there is none because the table has
/// been removed meanwhile.
Result<FoundItem> FindItem(Core& core, const TableInfo& table, std::string_view key,
                           const std::optional<Projection>& projection,
                           const rocksdb::Snapshot* snapshot = nullptr);

/// So many keys are a short read.
inline constexpr size_t kShortKeys = 25;

}  // namespace tintype::tables::engine
