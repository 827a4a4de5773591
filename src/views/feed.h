#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "contexts/people/image.h"
#include "views/account.h"
#include "views/sources.h"

/// What everybody shares with everybody.
namespace tintype::views {

struct FeedImage {
  /// Its `uploaded_by` as the viewer sees it: NameShown.
  contexts::people::SparksImage shared;
  /// Nothing for an image that somebody put into the table sparks alone.
  std::optional<contexts::catalog::Image> record;
  // The owner's. Nothing without a record.
  std::optional<std::string> username;
  std::optional<std::string> display_name;
  std::optional<ProfilePicture> picture;
};

struct Feed {
  std::vector<FeedImage> images;
  std::optional<tables::Item> next;  // Nothing at the end.
};

/// All shared images, newest first. Three calls of the database for a page of up to 100. A page may
/// be shorter than asked for: what the viewer may not see is left out, though the table lists it.
Result<Feed> ListFeed(const Sources& sources, const Viewer& viewer, const PageRequest& page);

}  // namespace tintype::views
