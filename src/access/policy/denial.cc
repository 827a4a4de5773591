#include "access/policy/denial.h"

#include "base/strings.h"

namespace tintype::access {

std::string DenialMessage(const PolicyDecision& decision, PolicyKind kind,
                          std::string_view principal_arn, std::string_view action,
                          std::string_view resource) {
  std::string message = StrCat("User: ", principal_arn, " is not authorized to perform: ", action,
                               " on resource: ", resource);
  if (decision.verdict == Verdict::kDeniedExplicitly) {
    StrAppend(message, kind == PolicyKind::kIdentity
                           ? " with an explicit deny in an identity-based policy"
                           : " with an explicit deny in a resource-based policy");
  } else {
    StrAppend(message, " because no identity-based policy allows the ", action, " action");
  }
  return message;
}

}  // namespace tintype::access
