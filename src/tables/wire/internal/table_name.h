#pragma once

#include <string_view>

#include "base/result.h"
#include "tables/language/table_name.h"

namespace tintype::tables::wire {

/// True for the ARN of a table.
bool IsTableArn(std::string_view arn);

/// Fails if a table of that name, or of that ARN, cannot be: item operations find this out before
/// they look for the table. The name's characters are checked with the request's shape.
Status CheckTableNameLength(std::string_view name_or_arn);

}  // namespace tintype::tables::wire
