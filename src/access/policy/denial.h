#pragma once

#include <string>
#include <string_view>

#include "access/policy/policy.h"

namespace tintype::access {

/// The text of an AccessDeniedException, in AWS's words: who was not authorized to do what to what,
/// and whether a policy denies it or none allows it. REQUIRES: `decision` is a denial.
std::string DenialMessage(const PolicyDecision& decision, std::string_view principal_arn,
                          std::string_view action, std::string_view resource);

}  // namespace tintype::access
