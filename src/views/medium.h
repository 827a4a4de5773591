#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "views/access.h"
#include "views/sources.h"

/// What is told of a file with the file itself.
namespace tintype::views {

struct Medium {
  std::string owner_id;
  std::string mime_type;  // Of the original, as the table has it.
  std::string filename;   // As it was uploaded.
};

/// Of an image whose signed link somebody has, for which IsLinkGood was asked. Nothing when the
/// image is gone.
Result<std::optional<Medium>> FindMedium(const Sources& sources, std::string_view image_id);

/// Whether links to an image that were made for this audience are good now: MayFollow, by the
/// tables. Two calls of the database, three for viewers.
Result<bool> IsLinkGood(const Sources& sources, LinkAudience audience, std::string_view image_id);

}  // namespace tintype::views
