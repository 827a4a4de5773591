#include "views/versions.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "views/images.h"

namespace tintype::views {

using contexts::catalog::ImageVersion;

Result<VersionList> ListVersions(const Sources& sources, const Viewer& viewer,
                                 std::string_view image_id) {
  VersionList list;
  // Before the versions: the one that it names is there whenever it is.
  ASSIGN_OR_RETURN(ImageView view, FindOwnImage(sources, viewer, image_id));
  list.image = std::move(view.image);
  ASSIGN_OR_RETURN(list.versions, sources.catalog.ListVersions(image_id));
  std::erase_if(list.versions, [](const ImageVersion& version) {
    return !version.completed || version.revision <= 0;
  });
  std::ranges::sort(list.versions, std::greater(), &ImageVersion::revision);
  return list;
}

}  // namespace tintype::views
