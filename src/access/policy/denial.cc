#include "access/policy/denial.h"

#include "base/strings.h"

namespace tintype::access {

std::string DenialMessage(const PolicyDecision& decision, std::string_view principal_arn,
                          std::string_view action, std::string_view resource) {
  std::string message = StrCat("User: ", principal_arn, " is not authorized to perform: ", action,
                               " on resource: ", resource);
  if (decision.verdict == Verdict::kDeniedExplicitly) {
    StrAppend(message, " with an explicit deny in an identity-based policy");
  } else {
    StrAppend(message, " because no identity-based policy allows the ", action, " action");
  }
  return message;
}

}  // namespace tintype::access
