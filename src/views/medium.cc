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

}  // namespace tintype::views
