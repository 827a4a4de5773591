#pragma once

#include "base/result.h"
#include "tables/language/values/value.h"

/// How large an item may be. The one place that knows; ItemSizeBytes says how large it is.
namespace tintype::tables {

/// Whose item it is: one that a request puts as it is, or what an update makes of one.
enum class SizedItem { kPut, kUpdated };

/// Fails with ItemTooLarge if the item is larger than an item may be.
Status CheckItemSize(MapView item, SizedItem which);
Error ItemTooLarge(SizedItem which);

}  // namespace tintype::tables
