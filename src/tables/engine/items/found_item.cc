#include "tables/engine/items/found_item.h"

#include "tables/engine/storage/record.h"

namespace tintype::tables::engine {

Result<std::optional<FoundItem>> FindItem(Core& core, std::string_view key,
                                          const std::optional<Projection>& projection,
                                          const ReadBudget& budget,
                                          const rocksdb::Snapshot* snapshot) {
  rocksdb::PinnableSlice value;
  ASSIGN_OR_RETURN(const std::optional<bool> found,
                   budget.Get(*core.storage, key, value, snapshot));
  if (!found) {
    return std::optional<FoundItem>();
  }
  FoundItem result;
  if (*found) {
    const Record record = Record::Decode(ToView(value));
    result.size_bytes = record.size_bytes;
    result.item = projection ? projection->Apply(record.item) : Item::Copy(record.item);
  }
  return std::optional(std::move(result));
}

}  // namespace tintype::tables::engine
