#pragma once

#include "base/result.h"
#include "tables/language/schema.h"
#include "tables/wire/internal/json.h"

namespace tintype::tables::wire {

/// The Tags of TagResource and CreateTable.
Result<Tags> DecodeTags(JsonArray json);

}  // namespace tintype::tables::wire
