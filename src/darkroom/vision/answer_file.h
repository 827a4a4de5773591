#pragma once

#include <string_view>

#include "base/result.h"

namespace tintype::darkroom::vision {

/// Makes an answer the whole content of a request's output. Errors: kOutput of this room's
/// failures.
Status WriteAnswer(int output, std::string_view bytes);

}  // namespace tintype::darkroom::vision
