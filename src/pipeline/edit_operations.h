#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "darkroom/requests.h"

namespace tintype::pipeline {

/// Reads the operations of an edit job, for example
/// `[{"op": "rotate", "degrees": 90}, {"op": "crop", "left": 0, "top": 0, "width": 100, "height":
/// 80}]`. The others are `auto_levels` and `black_and_white`. Errors: kValidation, which names what
/// is wrong.
Result<std::vector<darkroom::EditOperation>> ParseEditOperations(std::string_view json);

/// The same operations as JSON, with nothing else in it.
std::string FormatEditOperations(const std::vector<darkroom::EditOperation>& operations);

}  // namespace tintype::pipeline
