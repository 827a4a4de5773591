#include "http/rest/page/static_files.h"

#include <gtest/gtest.h>

#include <array>

namespace tintype::http::rest {
namespace {

constexpr std::array<StaticFile, 2> kFiles = {{{"/index.html", "text/html", "\"1\"", "page"},
                                               {"/assets/a.js", "text/javascript", "\"2\"", "js"}}};

Response Get(std::string_view path, std::span<const StaticFile> files = kFiles) {
  return GetStaticFile(files, Request{}, path, "");
}

TEST(StaticFilesTest, ServesFilesByTheirPath) {
  EXPECT_EQ(Get("/").body, "page");
  EXPECT_EQ(Get("/index.html").body, "page");
  EXPECT_EQ(Get("/assets/a.js").body, "js");
}

// Proves that a mistaken address is told as one, and does not look like the page.
TEST(StaticFilesTest, HasNothingElsewhere) {
  for (const std::string_view path : {"/nope", "/index", "/assets/b.js", "/photo/1", "//"}) {
    EXPECT_EQ(Get(path).status, 404) << path;
    EXPECT_NE(Get(path).body, "page") << path;
  }
  EXPECT_EQ(Get("/", {}).status, 404);
}

}  // namespace
}  // namespace tintype::http::rest
