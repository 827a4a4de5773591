#include "contexts/common/scan.h"

#include <utility>

namespace tintype::contexts {

Result<OwnersPage> ScanOwners(
    tables::BlockingDatabase& database, std::string_view table,
    const std::optional<tables::Item>& after,
    const std::function<std::optional<std::string>(const ItemReader&)>& owner_of) {
  tables::ScanRequest scan;
  scan.table = table;
  scan.options.consistent_read = true;
  scan.options.exclusive_start_key = after;
  ASSIGN_OR_RETURN(auto response, database.Scan(std::move(scan)));
  OwnersPage page;
  for (const tables::Item& item : response.items) {
    if (std::optional<std::string> id = owner_of(ItemReader(item))) {
      page.ids.push_back(*std::move(id));
    }
  }
  page.last_evaluated_key = std::move(response.last_evaluated_key);
  return page;
}

}  // namespace tintype::contexts
