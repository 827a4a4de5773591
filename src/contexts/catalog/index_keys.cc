#include "contexts/catalog/index_keys.h"

#include "contexts/catalog/catalog.h"
#include "contexts/common/item.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::catalog {
namespace {

IndexKeys KeysIn(const tables::Item& item) {
  IndexKeys keys;
  const ItemReader read(item);
  for (const auto& [name, value] : read.view()) {
    if (name.starts_with("GSI")) {
      keys.emplace(name, read.Text(name));
    }
  }
  return keys;
}

}  // namespace

IndexKeys IndexKeysOf(const Image& image) { return KeysIn(ToItem(image)); }

Result<std::optional<IndexKeys>> FindIndexKeys(tables::Database& database, std::string_view id) {
  ASSIGN_OR_RETURN(const auto response,
                   tables::BlockingDatabase(database).GetItem({.table = std::string(kTable),
                                                               .key = ImageKey(id),
                                                               .projection = {},
                                                               .consistent_read = true}));
  return response.item ? std::optional(KeysIn(*response.item)) : std::nullopt;
}

}  // namespace tintype::contexts::catalog
