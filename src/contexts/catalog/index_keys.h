#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "tables/language/database.h"

/// The attributes that put an image into the indexes of ImageMetadata, for those who compare them
/// with what the image says of itself.
namespace tintype::contexts::catalog {

/// By name, such as GSI1PK.
using IndexKeys = std::map<std::string, std::string>;

/// Those that the image should have.
IndexKeys IndexKeysOf(const Image& image);
/// Those that its item has; nothing when there is no such image.
Result<std::optional<IndexKeys>> FindIndexKeys(tables::Database& database, std::string_view id);

}  // namespace tintype::contexts::catalog
