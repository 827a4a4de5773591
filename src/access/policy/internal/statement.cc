#include <algorithm>

#include "access/policy/internal/compiled_policy.h"

namespace tintype::access::internal {

bool Statement::Applies(std::string_view action, std::string_view resource,
                        RequestValues& values) const {
  if (actions.Matches(action, values) == not_action) {
    return false;
  }
  if (resources.Matches(resource, values) == not_resource) {
    return false;
  }
  // A resource with a variable without a value is none at all. Under NotResource that would leave
  // everything allowed, which nobody meant.
  if (not_resource && effect == Effect::kAllow && resources.LacksValue(values)) {
    return false;
  }
  return std::ranges::all_of(
      conditions, [&](const Condition& condition) { return condition.Holds(values, effect); });
}

}  // namespace tintype::access::internal
