#pragma once

#include <string_view>

namespace tintype::tables {

/// The name of the table that `name_or_arn` means: DynamoDB accepts
/// `arn:aws:dynamodb:region:account:table/NAME` wherever it accepts NAME. Anything that is not such
/// an ARN is returned as it is.
std::string_view TableNameOf(std::string_view name_or_arn);

/// True if all characters are of [a-zA-Z0-9_.-] and there is at least one.
bool MatchesNamePattern(std::string_view name);

}  // namespace tintype::tables
