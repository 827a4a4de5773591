#include "contexts/catalog/tombstones.h"

#include <string>

#include "base/strings.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::catalog {

Result<bool> HasTombstone(tables::Database& database, std::string_view id) {
  ASSIGN_OR_RETURN(
      const auto response,
      tables::BlockingDatabase(database).GetItem(
          {.table = std::string(kSystemTable),
           .key =
               ItemBuilder().Text("PK", StrCat("TOMBSTONE#", id)).Text("SK", "TOMBSTONE").Build(),
           .projection = {},
           .consistent_read = true}));
  return response.item.has_value();
}

}  // namespace tintype::contexts::catalog
