#pragma once

#include "base/result.h"
#include "darkroom/limits.h"
#include "darkroom/requests.h"

namespace tintype::darkroom {

// What the helper can do with a file, one .cc each. They are given requests that CheckRequest has
// found to be sound, and throw nothing.

/// Names of renditions are left empty; the server knows them.
Result<Developed> RunDevelop(const DevelopRequest& request, const PixelLimits& limits);
Result<Edited> RunEdit(const EditRequest& request, const PixelLimits& limits);
Result<Resized> RunResize(const ResizeRequest& request, const PixelLimits& limits);

}  // namespace tintype::darkroom
