#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/language/blocking_database.h"

/// What belongs to an account in the table tintype, by its index `GSI1`.
namespace tintype::contexts::identity {

/// `GSI1PK` of what belongs to the account.
std::string AccountPartition(std::string_view account_id);

/// All items of the account whose `GSI1SK` begins with `prefix`. Accounts have few of them: what
/// makes one is limited, or expires. Items just written may be missing on other services.
Result<std::vector<tables::Item>> ListOfAccount(tables::BlockingDatabase& database,
                                                std::string_view account_id,
                                                std::string_view prefix);
/// Removes everything of the account that the index has, when the account is deleted. That some are
/// gone already is fine.
Status RemoveAllOfAccount(tables::Database& database, std::string_view account_id);
/// All items of any partition of the index.
Result<std::vector<tables::Item>> ListPartition(tables::BlockingDatabase& database,
                                                std::string_view partition,
                                                std::string_view prefix);

}  // namespace tintype::contexts::identity
