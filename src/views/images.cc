#include "views/images.h"

#include <string>
#include <unordered_map>
#include <utility>

namespace tintype::views {
namespace {

using contexts::catalog::Image;
using contexts::people::Sharing;

Error NoSuchImage() { return Error::NotFound("There is no such image."); }

Result<Image> FindOwnRecord(const Sources& sources, const Viewer& viewer, std::string_view id) {
  ASSIGN_OR_RETURN(std::optional<Image> image, sources.catalog.Find(id));
  if (!image || SightOf(viewer, {&*image, {}}) != Sight::kEverything) {
    return NoSuchImage();
  }
  return *std::move(image);
}

/// How the owner of an image shares it.
Result<std::optional<Sharing>> FindSharing(const Sources& sources, const Viewer& viewer,
                                           const Image& image) {
  std::string email = viewer.email;
  if (image.user_id != viewer.id) {
    ASSIGN_OR_RETURN(const auto owner, sources.accounts.Find(image.user_id));
    if (!owner) {
      return std::optional<Sharing>();
    }
    email = owner->email;
  }
  ASSIGN_OR_RETURN(const auto sparks, sources.people.FindImage(image.id, email));
  return sparks ? std::optional(sparks->sharing()) : std::nullopt;
}

}  // namespace

Result<ImageList> ListImages(const Sources& sources, const Viewer& viewer,
                             const PageRequest& page) {
  ASSIGN_OR_RETURN(auto found, sources.catalog.ListOfUser(viewer.id, page.limit, page.after));
  ImageList list;
  list.next = std::move(found.last_evaluated_key);
  ASSIGN_OR_RETURN(list.images, ShowOwnImages(sources, viewer, std::move(found.images)));
  return list;
}

Result<std::vector<ImageView>> ShowOwnImages(const Sources& sources, const Viewer& viewer,
                                             std::vector<Image> images) {
  std::vector<std::string> ids;
  ids.reserve(images.size());
  for (const Image& image : images) {
    ids.push_back(image.id);
  }
  ASSIGN_OR_RETURN(const auto sharing, sources.people.FindSharing(ids, viewer.email));
  std::vector<ImageView> shown;
  shown.reserve(images.size());
  for (Image& image : images) {
    const auto found = sharing.find(image.id);
    const auto shared = found == sharing.end() ? std::nullopt : std::optional(found->second);
    if (SightOf(viewer, {&image, {}}) == Sight::kEverything) {
      shown.push_back({std::move(image), VisibilityOf(shared), Sight::kEverything});
    }
  }
  return shown;
}

Result<ImageView> ShowOwnImage(const Sources& sources, const Viewer& viewer, Image image) {
  ASSIGN_OR_RETURN(const auto sharing, FindSharing(sources, viewer, image));
  return ImageView{std::move(image), VisibilityOf(sharing), Sight::kEverything};
}

Result<ImageView> FindOwnImage(const Sources& sources, const Viewer& viewer, std::string_view id) {
  ASSIGN_OR_RETURN(Image image, FindOwnRecord(sources, viewer, id));
  return ShowOwnImage(sources, viewer, std::move(image));
}

Status CheckOwnImage(const Sources& sources, const Viewer& viewer, std::string_view id) {
  RETURN_IF_ERROR(FindOwnRecord(sources, viewer, id));
  return OkStatus();
}

Result<ImageView> FindVisibleImage(const Sources& sources, const Viewer& viewer,
                                   std::string_view id) {
  ASSIGN_OR_RETURN(std::optional<Image> image, sources.catalog.Find(id));
  if (!image) {
    return NoSuchImage();
  }
  ASSIGN_OR_RETURN(const auto sharing, FindSharing(sources, viewer, *image));
  const Sight sight = SightOf(viewer, {&*image, sharing});
  if (sight == Sight::kNothing) {
    return NoSuchImage();
  }
  return ImageView{*std::move(image), VisibilityOf(sharing), sight};
}

}  // namespace tintype::views
