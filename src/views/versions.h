#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "contexts/catalog/image_version.h"
#include "views/sources.h"

/// What an image has looked like.
namespace tintype::views {

struct VersionList {
  contexts::catalog::Image image;
  /// Those that are complete, the newest first. The upload is not among them.
  std::vector<contexts::catalog::ImageVersion> versions;
};

/// The versions of one of the viewer's own images. Errors: kNotFound as for the image.
Result<VersionList> ListVersions(const Sources& sources, const Viewer& viewer,
                                 std::string_view image_id);

}  // namespace tintype::views
