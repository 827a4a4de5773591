#include "tables/language/values/item_size.h"

#include "tables/language/faults.h"
#include "tables/language/limits.h"

namespace tintype::tables {

Status CheckItemSize(MapView item, SizedItem which) {
  return ItemSizeBytes(item) > limits::kItemBytes ? Status(ItemTooLarge(which)) : OkStatus();
}

Error ItemTooLarge(SizedItem which) {
  return {reasons::kItemTooLarge,
          which == SizedItem::kPut ? "Item size has exceeded the maximum allowed size"
                                   : "Item size to update has exceeded the maximum allowed size"};
}

}  // namespace tintype::tables
