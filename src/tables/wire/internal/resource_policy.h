#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::tables::wire {

/// The Policy of PutResourcePolicy, the ResourcePolicy of CreateTable. Errors: kValidation for one
/// that is too long.
Result<std::string> DecodePolicyDocument(std::string_view document);

}  // namespace tintype::tables::wire
