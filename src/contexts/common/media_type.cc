#include "contexts/common/media_type.h"

#include <algorithm>

#include "base/strings.h"

namespace tintype::contexts {

std::string_view MediaTypeOf(std::string_view mime_type) {
  for (const std::string_view type : {"image", "video", "audio"}) {
    if (mime_type.starts_with(StrCat(type, "/"))) {
      return type;
    }
  }
  return "document";
}

std::string AssetTypeOf(std::string_view mime_type) {
  std::string type(MediaTypeOf(mime_type));
  std::ranges::transform(type, type.begin(),
                         [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  return type;
}

}  // namespace tintype::contexts
