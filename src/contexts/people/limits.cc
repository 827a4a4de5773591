#include "contexts/people/limits.h"

#include <utility>

#include "base/strings.h"
#include "contexts/common/item.h"
#include "contexts/common/scan.h"
#include "contexts/common/tables.h"
#include "contexts/people/internal/keys.h"
#include "contexts/people/people.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::people {
namespace {

constexpr std::string_view kLimitOfPrefix = "LIMIT#";

tables::Item GrantKey(std::string_view email) {
  return ItemBuilder().Text("PK", StrCat("GRANT#", email)).Text("SK", "GRANT").Build();
}

}  // namespace

Result<LimitsPage> ListLimits(tables::Database& database,
                              const std::optional<tables::Item>& after) {
  tables::BlockingDatabase blocking(database);
  LimitsPage page;
  ASSIGN_OR_RETURN(
      page.last_evaluated_key, ScanItems(blocking, kTable, after, [&](const ItemReader& read) {
        const std::string partition = read.Text("PK");
        const std::string sort = read.Text("SK");
        if (sort.starts_with(kUploadedByPrefix)) {
          page.uploaders.push_back(sort.substr(kUploadedByPrefix.size()));
        } else if (partition == StrCat(kLimitOfPrefix, sort)) {
          page.limits.push_back({sort, read.OptionalInteger("limit"), read.Has("setAt")});
        }
      }));
  return page;
}

Result<std::optional<int64_t>> FindGrant(tables::Database& database, std::string_view email) {
  ASSIGN_OR_RETURN(const auto response,
                   tables::BlockingDatabase(database).GetItem({.table = std::string(kSystemTable),
                                                               .key = GrantKey(email),
                                                               .projection = {},
                                                               .consistent_read = true}));
  return response.item ? ItemReader(*response.item).OptionalInteger("granted") : std::nullopt;
}

Piece RecordGrant(std::string_view email, int64_t limit) {
  return PutPiece(std::string(kSystemTable), ItemBuilder()
                                                 .Text("PK", StrCat("GRANT#", email))
                                                 .Text("SK", "GRANT")
                                                 .Integer("granted", limit)
                                                 .Build());
}

Piece RemoveGrant(std::string_view email) {
  return DeletePiece(std::string(kSystemTable), GrantKey(email));
}

}  // namespace tintype::contexts::people
