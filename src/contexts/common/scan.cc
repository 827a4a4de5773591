#include "contexts/common/scan.h"

#include <utility>

namespace tintype::contexts {

Result<std::optional<tables::Item>> ScanItems(tables::BlockingDatabase& database,
                                              std::string_view table,
                                              const std::optional<tables::Item>& after,
                                              const std::function<void(const ItemReader&)>& visit) {
  tables::ScanRequest scan;
  scan.table = table;
  scan.options.consistent_read = true;
  scan.options.exclusive_start_key = after;
  ASSIGN_OR_RETURN(auto response, database.Scan(std::move(scan)));
  for (const tables::Item& item : response.items) {
    visit(ItemReader(item));
  }
  return std::move(response.last_evaluated_key);
}

Result<OwnersPage> ScanOwners(
    tables::BlockingDatabase& database, std::string_view table,
    const std::optional<tables::Item>& after,
    const std::function<std::optional<std::string>(const ItemReader&)>& owner_of) {
  OwnersPage page;
  ASSIGN_OR_RETURN(page.last_evaluated_key,
                   ScanItems(database, table, after, [&](const ItemReader& read) {
                     if (std::optional<std::string> id = owner_of(read)) {
                       page.ids.push_back(*std::move(id));
                     }
                   }));
  return page;
}

}  // namespace tintype::contexts
