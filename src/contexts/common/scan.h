#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/common/item.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts {

/// The images that some records are about.
struct OwnersPage {
  std::vector<std::string> ids;
  std::optional<tables::Item> last_evaluated_key;
};

/// Hands each item of one page of a table to `visit`. Returns where the next page goes on, nothing
/// at the end. For commands that look at everything.
Result<std::optional<tables::Item>> ScanItems(tables::BlockingDatabase& database,
                                              std::string_view table,
                                              const std::optional<tables::Item>& after,
                                              const std::function<void(const ItemReader&)>& visit);

/// The images that one page of a table's items is about, whether they exist or not: `owner_of` says
/// which, and nothing for an item that is about none.
Result<OwnersPage> ScanOwners(
    tables::BlockingDatabase& database, std::string_view table,
    const std::optional<tables::Item>& after,
    const std::function<std::optional<std::string>(const ItemReader&)>& owner_of);

}  // namespace tintype::contexts
