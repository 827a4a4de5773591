#pragma once

#include <string>
#include <string_view>

#include "access/policy/policy.h"

namespace tintype::access {

/// What a policy that decided is attached to.
enum class PolicyKind { kIdentity, kResource };

/// The text of an AccessDeniedException, in AWS's words: who was not authorized to do what to what,
/// and whether a policy denies it, of `kind`, or none allows it. REQUIRES: `decision` is a denial.
std::string DenialMessage(const PolicyDecision& decision, PolicyKind kind,
                          std::string_view principal_arn, std::string_view action,
                          std::string_view resource);

}  // namespace tintype::access
