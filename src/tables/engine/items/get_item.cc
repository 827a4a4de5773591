#include "tables/engine/items/found_item.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/rows/capacity.h"
#include "tables/engine/rows/item_keys.h"

namespace tintype::tables::engine {

Result<GetItemResponse> GetItem(Core& core, const GetItemRequest& request) {
  ASSIGN_OR_RETURN(const TablePtr table, core.tables.Find(request.table));
  ASSIGN_OR_RETURN(const std::string key, EncodeRequestKey(*table, request.key.view()));
  RETURN_IF_ERROR(CheckKeyPaths(*table, request.projection));
  ASSIGN_OR_RETURN(FoundItem found, FindItem(core, *table, key, request.projection));
  GetItemResponse response;
  response.item = std::move(found.item);
  if (request.return_capacity != ReturnCapacity::kNone) {
    response.capacity = StartCapacity(*table, request.return_capacity, false);
    response.capacity->table_units.read = ReadUnits(found.size_bytes, request.consistent_read);
  }
  return response;
}

}  // namespace tintype::tables::engine
