#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

/// Policy documents that come with the product, under the names that `tintype keys create --policy`
/// takes. They are documents like any other: Policy::Parse compiles them.
namespace tintype::access {

/// `admin`: everything.
std::string AdminPolicyDocument();

/// `read-only`: everything that reads tables, indexes, streams, backups, exports and imports.
std::string ReadOnlyPolicyDocument();

/// `tables`: everything, but on the tables named, with all that belongs to them: indexes, streams,
/// backups, exports, imports. The names may have wildcards, such as `so0050-*`. Errors:
/// kValidation for what cannot be a table's name, or too many of them.
Result<std::string> TablesPolicyDocument(std::span<const std::string> product_tables);

}  // namespace tintype::access
