#include "views/trash.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "views/access.h"

namespace tintype::views {
namespace {

using contexts::catalog::Image;
using contexts::catalog::TrashPosting;

/// The earlier of both ends: that of the trash, and that of a temporary image.
int64_t DeletesMs(const TrashPosting& posting, const Image& image) {
  return image.ttl ? std::min(posting.deletes_ms, *image.ttl * 1000) : posting.deletes_ms;
}

}  // namespace

Result<TrashList> ListTrash(const Sources& sources, const Viewer& viewer, const PageRequest& page,
                            int64_t now_ms) {
  ASSIGN_OR_RETURN(auto found, sources.catalog.ListTrash(viewer.id, page.limit, page.after));
  TrashList list;
  list.next = std::move(found.last_evaluated_key);
  std::vector<std::string> ids;
  for (const TrashPosting& posting : found.postings) {
    if (posting.deletes_ms > now_ms) {
      ids.push_back(posting.image_id);
    }
  }
  ASSIGN_OR_RETURN(auto records, sources.catalog.FindAll(ids));
  ASSIGN_OR_RETURN(const auto sharing, sources.people.FindSharing(ids, viewer.email));
  for (const TrashPosting& posting : found.postings) {
    const auto record = records.find(posting.image_id);
    if (posting.deletes_ms <= now_ms || record == records.end()) {
      continue;
    }
    const Image& image = record->second;
    const int64_t deletes_ms = DeletesMs(posting, image);
    // It may have been restored, and put there again, since the list was read.
    if (SightInTrash(viewer, image) == Sight::kNothing || image.trashed_at != posting.trashed_at ||
        deletes_ms <= now_ms) {
      continue;
    }
    const auto known = sharing.find(image.id);
    const auto shared = known == sharing.end() ? std::nullopt : std::optional(known->second);
    list.images.push_back({{image, VisibilityOf(shared), Sight::kEverything}, deletes_ms});
  }
  return list;
}

}  // namespace tintype::views
