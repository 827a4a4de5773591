#include "http/rest/media/disposition.h"

#include <gtest/gtest.h>

namespace tintype::http::rest {
namespace {

// Proves that whatever a file is called, its name can neither end the header nor its value.
TEST(DispositionTest, EncodesNames) {
  EXPECT_EQ(Disposition(Presentation::kInline, "a-b_c.jpg"),
            "inline; filename=\"a-b_c.jpg\"; filename*=UTF-8''a-b_c.jpg");
  EXPECT_EQ(Disposition(Presentation::kAttachment, "Größe 1.jpg"),
            "attachment; filename=\"Gr____e_1.jpg\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.jpg");
  EXPECT_EQ(Disposition(Presentation::kAttachment, "\"\r\nX: y;\\"),
            "attachment; filename=\"___X__y__\"; filename*=UTF-8''%22%0D%0AX%3A%20y%3B%5C");
}

// Proves that a rendition is called after its original, by its own type.
TEST(DispositionTest, RenamesForAType) {
  EXPECT_EQ(RenamedFor("photo.jpg", "image/webp"), "photo.webp");
  EXPECT_EQ(RenamedFor("photo.a.HEIC", "image/jpeg"), "photo.a.jpg");
  EXPECT_EQ(RenamedFor("photo", "image/avif"), "photo.avif");
  EXPECT_EQ(RenamedFor(".hidden", "image/webp"), ".hidden.webp");
  EXPECT_EQ(RenamedFor("", "image/webp"), ".webp");
}

}  // namespace
}  // namespace tintype::http::rest
