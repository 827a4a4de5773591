#include "http/rest/page/static_files.h"

#include <algorithm>
#include <string>

#include "base/strings.h"

namespace tintype::http::rest {
namespace {

constexpr std::string_view kIndex = "/index.html";
constexpr std::string_view kAssets = "/assets/";

/// The page loads nothing from elsewhere but pictures, videos and sounds where they are stored, is
/// framed by nobody, and runs no inline script. Captions are asked for by its scripts, and given to
/// a player as a blob.
void AddPageHeaders(Response& response, std::string_view image_origin) {
  const std::string elsewhere = image_origin.empty() ? "" : StrCat(" ", image_origin);
  response.headers.emplace_back(
      "Content-Security-Policy",
      StrCat("default-src 'self'; img-src 'self' blob: data:", elsewhere,
             "; media-src 'self' blob:", elsewhere,
             "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"));
}

}  // namespace

Response GetStaticFile(std::span<const StaticFile> files, const Request& request,
                       std::string_view path, std::string_view image_origin) {
  const auto file = std::ranges::find(files, path == "/" ? kIndex : path, &StaticFile::path);
  Response response;
  if (file == files.end()) {
    response.status = 404;
    response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
    response.body = files.empty() ? "This build of the server has no page in it.\n"
                                  : "There is nothing at this address. The gallery is at /.\n";
    return response;
  }
  AddPageHeaders(response, image_origin);
  response.headers.emplace_back("Content-Type", file->type);
  response.headers.emplace_back("ETag", file->etag);
  // Names of assets change with their bytes; the page itself is asked for each time.
  response.headers.emplace_back("Cache-Control", file->path.starts_with(kAssets)
                                                     ? "public, max-age=31536000, immutable"
                                                     : "no-cache");
  const auto if_none_match = request.Header("if-none-match");
  if (if_none_match && *if_none_match == file->etag) {
    response.status = 304;
    return response;
  }
  response.body = file->bytes;
  return response;
}

}  // namespace tintype::http::rest
