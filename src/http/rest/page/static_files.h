#pragma once

#include <span>
#include <string_view>

#include "http/server/message.h"

namespace tintype::http::rest {

/// One file of the page, as it is built into the program.
struct StaticFile {
  std::string_view path;  // `/index.html`, `/assets/index-1a2b3c.js`.
  std::string_view type;
  std::string_view etag;
  std::string_view bytes;
};

/// Serves the page: files by their path, and `/index.html` for `/` too. The page's own addresses
/// are behind `#`, which no server sees: any other path is 404. `files` is empty in a build without
/// the page, which then says so. Pictures, videos and sounds may also come from `image_origin`, if
/// it is not empty.
Response GetStaticFile(std::span<const StaticFile> files, const Request& request,
                       std::string_view path, std::string_view image_origin);

}  // namespace tintype::http::rest
