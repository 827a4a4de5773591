#include "http/rest/page/static_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

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

// Proves that the page may show and play what is stored elsewhere, and nothing else from there.
TEST(StaticFilesTest, NamesTheStorageForPicturesAndForWhatPlays) {
  const auto policy = [](std::string_view origin) {
    const Response response = GetStaticFile(kFiles, Request{}, "/", origin);
    const auto header =
        std::ranges::find(response.headers, "Content-Security-Policy", &Headers::value_type::first);
    return header == response.headers.end() ? "" : header->second;
  };
  EXPECT_THAT(policy(""), testing::HasSubstr("default-src 'self'; img-src 'self' blob: data:; "
                                             "media-src 'self' blob:; object-src 'none'"));
  EXPECT_THAT(policy("https://s3.example"),
              testing::HasSubstr("default-src 'self'; "
                                 "img-src 'self' blob: data: https://s3.example; "
                                 "media-src 'self' blob: https://s3.example; object-src 'none'"));
}

}  // namespace
}  // namespace tintype::http::rest
