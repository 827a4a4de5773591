#pragma once

#include <memory>
#include <string_view>

#include "access/policy/internal/compiled_policy.h"
#include "base/result.h"

namespace tintype::access::internal {

/// Reads and compiles a policy document. Errors: kValidation, with the place and what is wrong.
Result<std::shared_ptr<const CompiledPolicy>> ParsePolicy(std::string_view document);

}  // namespace tintype::access::internal
