#pragma once

#include "base/result.h"
#include "tables/wire/internal/json.h"
#include "tables/wire/internal/shape.h"

namespace tintype::tables::wire {

/// Checks the values of a request whose types are right: the table name by itself, then everything
/// else at once.
Status CheckConstraints(const JsonObject& object, const RequestShape& request);

}  // namespace tintype::tables::wire
