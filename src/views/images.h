#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "contexts/people/image.h"
#include "views/access.h"
#include "views/sources.h"

/// Images one by one, and in the list of their owner.
namespace tintype::views {

/// An image, as much of it as the viewer sees.
struct ImageView {
  contexts::catalog::Image image;
  contexts::people::Visibility visibility = contexts::people::Visibility::kPrivate;
  Sight sight = Sight::kNothing;
};

struct ImageList {
  std::vector<ImageView> images;
  std::optional<tables::Item> next;  // Nothing at the end.
};

/// The viewer's images, newest first, without those in the trash. Two calls of the database for a
/// page of up to 100.
Result<ImageList> ListImages(const Sources& sources, const Viewer& viewer, const PageRequest& page);

/// One of the viewer's own images. Errors: kNotFound when there is none, it is another's, or it is
/// in the trash.
Result<ImageView> FindOwnImage(const Sources& sources, const Viewer& viewer, std::string_view id);

/// The same without looking at how it is shared, for what hangs on an image.
Status CheckOwnImage(const Sources& sources, const Viewer& viewer, std::string_view id);

/// An image that the viewer may look at, whoever has it. Errors: kNotFound for all others.
Result<ImageView> FindVisibleImage(const Sources& sources, const Viewer& viewer,
                                   std::string_view id);

/// What a flow made of an image of the viewer's own, as it is shown.
Result<ImageView> ShowOwnImage(const Sources& sources, const Viewer& viewer,
                               contexts::catalog::Image image);
/// The same for many, by one call of the database for every hundred. Images that the viewer does
/// not see are left out.
Result<std::vector<ImageView>> ShowOwnImages(const Sources& sources, const Viewer& viewer,
                                             std::vector<contexts::catalog::Image> images);

}  // namespace tintype::views
