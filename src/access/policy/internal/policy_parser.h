#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "access/policy/internal/compiled_policy.h"
#include "access/policy/internal/policy_resource.h"
#include "base/result.h"

namespace tintype::access::internal {

/// Reads and compiles a policy document: one of an access key, or that of a resource. Errors:
/// kValidation, with the place and what is wrong.
Result<std::shared_ptr<const CompiledPolicy>> ParsePolicy(
    std::string_view document, const std::optional<PolicyResource>& resource);

}  // namespace tintype::access::internal
