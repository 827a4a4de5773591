#include "contexts/identity/accounts/account_index.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"

namespace tintype::contexts::identity {

std::string AccountPartition(std::string_view account_id) { return StrCat("ACCOUNT#", account_id); }

Result<std::vector<tables::Item>> ListOfAccount(tables::BlockingDatabase& database,
                                                std::string_view account_id,
                                                std::string_view prefix) {
  return ListPartition(database, AccountPartition(account_id), prefix);
}

Result<std::vector<tables::Item>> ListPartition(tables::BlockingDatabase& database,
                                                std::string_view partition,
                                                std::string_view prefix) {
  std::vector<tables::Item> items;
  std::optional<tables::Item> after;
  do {
    tables::QueryRequest query;
    query.table = std::string(kSystemTable);
    query.options.index = "GSI1";
    Bindings bindings{{}, {{":of", tables::Value::String(partition)}}};
    if (!prefix.empty()) {
      bindings.values.emplace(":prefix", tables::Value::String(prefix));
    }
    // DynamoDB takes no empty text as the beginning of a key.
    query.key_condition = KeyConditionOf(
        prefix.empty() ? "GSI1PK = :of" : "GSI1PK = :of AND begins_with(GSI1SK, :prefix)",
        bindings);
    query.options.exclusive_start_key = std::move(after);
    ASSIGN_OR_RETURN(auto page, database.Query(std::move(query)));
    std::ranges::move(page.items, std::back_inserter(items));
    after = std::move(page.last_evaluated_key);
  } while (after);
  return items;
}

Status RemoveAllOfAccount(tables::Database& database, std::string_view account_id) {
  tables::BlockingDatabase blocking(database);
  ASSIGN_OR_RETURN(const auto items, ListOfAccount(blocking, account_id, ""));
  for (const tables::Item& item : items) {
    const ItemReader read(item);
    tables::Item key =
        ItemBuilder().Text("PK", read.Text("PK")).Text("SK", read.Text("SK")).Build();
    RETURN_IF_ERROR(blocking.DeleteItem({std::string(kSystemTable), std::move(key), {}}));
  }
  return OkStatus();
}

}  // namespace tintype::contexts::identity
