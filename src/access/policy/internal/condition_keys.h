#pragma once

#include <string_view>

#include "access/policy/context.h"

namespace tintype::access::internal {

/// Whether a text can be a condition key, and so a policy variable: `service:name`, where the
/// service may be a host and the name may have a path, as in `aws:PrincipalTag/team`.
bool IsConditionKey(std::string_view name);

/// The key of that name, in any case of letters; kUnknown for one that no request here has.
ConditionKey ConditionKeyOf(std::string_view name);

}  // namespace tintype::access::internal
