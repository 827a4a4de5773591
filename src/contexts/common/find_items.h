#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts {

/// The items of these keys, in any order, read consistently: in one call for every hundred keys,
/// which is the most that DynamoDB takes. A key without an item adds none, nor does one that no
/// item can have; a key that is there twice counts once. Errors: kUnavailable when the service goes
/// on leaving keys over.
Result<std::vector<tables::Item>> FindItems(tables::BlockingDatabase& database,
                                            std::string_view table, std::vector<tables::Item> keys);

}  // namespace tintype::contexts
