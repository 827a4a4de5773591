#include "tables/engine/items/found_item.h"

#include "tables/engine/storage/record.h"

namespace tintype::tables::engine {

Result<FoundItem> FindItem(Core& core, const TableInfo& table, std::string_view key,
                           const std::optional<Projection>& projection,
                           const rocksdb::Snapshot* snapshot) {
  rocksdb::PinnableSlice value;
  ASSIGN_OR_RETURN(const bool found, core.storage->Get(key, value, snapshot));
  FoundItem result;
  if (!found) {
    RETURN_IF_ERROR(core.tables.CheckStillThere(table));
    return result;
  }
  const Record record = Record::Decode(ToView(value));
  result.size_bytes = record.size_bytes;
  result.item = projection ? projection->Apply(record.item) : Item::Copy(record.item);
  return result;
}

}  // namespace tintype::tables::engine
