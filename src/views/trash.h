#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "views/images.h"
#include "views/sources.h"

/// The trash, as its owner sees it.
namespace tintype::views {

struct TrashedImage {
  ImageView view;
  int64_t deletes_ms = 0;  // When it will be deleted.
};

struct TrashList {
  std::vector<TrashedImage> images;
  std::optional<tables::Item> next;  // Nothing at the end.
};

/// The viewer's images in the trash, what came into it last first. Three calls of the database for
/// a page of up to 100. A page may be shorter than asked for: images whose time has come by
/// `now_ms` are being deleted, and left out.
Result<TrashList> ListTrash(const Sources& sources, const Viewer& viewer, const PageRequest& page,
                            int64_t now_ms);

}  // namespace tintype::views
