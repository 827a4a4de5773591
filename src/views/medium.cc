#include "views/medium.h"

#include <utility>

namespace tintype::views {

Result<std::optional<Medium>> FindMedium(const Sources& sources, std::string_view image_id) {
  ASSIGN_OR_RETURN(auto image, sources.catalog.Find(image_id));
  if (!image) {
    return std::optional<Medium>();
  }
  return std::optional(Medium{std::move(image->user_id), std::move(image->mime_type),
                              std::move(image->original_filename)});
}

Result<bool> IsLinkGood(const Sources& sources, LinkAudience audience, std::string_view image_id) {
  ASSIGN_OR_RETURN(const auto image, sources.catalog.Find(image_id));
  ImageFacts facts{image ? &*image : nullptr, {}};
  if (image) {
    ASSIGN_OR_RETURN(const auto owner, sources.accounts.Find(image->user_id));
    facts.owner_disabled = owner && owner->disabled;
    if (owner && audience == LinkAudience::kViewer) {
      ASSIGN_OR_RETURN(const auto shared, sources.people.FindImage(image->id, owner->email));
      facts.sharing = shared ? std::optional(shared->sharing()) : std::nullopt;
    }
  }
  return MayFollow(audience, facts);
}

}  // namespace tintype::views
