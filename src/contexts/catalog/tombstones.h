#pragma once

#include <string_view>

#include "base/result.h"
#include "tables/language/database.h"

/// What is left of images that were deleted: items of the table tintype.
namespace tintype::contexts::catalog {

/// Whether the image was deleted by its lifecycle.
Result<bool> HasTombstone(tables::Database& database, std::string_view id);

}  // namespace tintype::contexts::catalog
