#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "views/sources.h"

/// What people are told about accounts.
namespace tintype::views {

/// Whether the first account has been made. Anybody may know.
Result<bool> IsSetUp(const Sources& sources);

/// How many more images the viewer may upload; nothing when there is no limit.
Result<std::optional<int64_t>> FindUploadLimit(const Sources& sources, const Viewer& viewer);

}  // namespace tintype::views
