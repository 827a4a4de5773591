#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace tintype::darkroom::av {

/// Writes at an offset; kOutput when that cannot be done.
Status WriteAt(int output, int64_t offset, std::string_view bytes);

/// Empties a file. kOutput when that cannot be done.
Status Truncate(int output);

}  // namespace tintype::darkroom::av
