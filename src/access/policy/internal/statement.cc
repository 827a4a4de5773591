#include <algorithm>
#include <functional>

#include "access/policy/internal/compiled_policy.h"

namespace tintype::access::internal {

bool Statement::IsAbout(std::string_view user) const {
  const bool named =
      principals->everybody || std::ranges::binary_search(principals->users, user, std::less<>());
  if (not_principal) {
    return !named;  // An exception for the account is not one for its keys.
  }
  // Keys' own policies still have to allow what the account is allowed; all of its keys are denied
  // what it is denied.
  return named || (effect == Effect::kDeny && principals->account);
}

bool Statement::Applies(std::string_view action, std::string_view resource,
                        RequestValues& values) const {
  if (principals && !IsAbout(values.Variable(ConditionKey::kUsername).value_or(""))) {
    return false;
  }
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
