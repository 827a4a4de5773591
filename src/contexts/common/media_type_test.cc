#include "contexts/common/media_type.h"

#include <gtest/gtest.h>

namespace tintype::contexts {
namespace {

// Proves that each file has one of the documents' words for its kind, whatever its type is.
TEST(MediaTypeTest, SaysWhatAFileIs) {
  EXPECT_EQ(MediaTypeOf("image/jpeg"), "image");
  EXPECT_EQ(MediaTypeOf("video/mp4"), "video");
  EXPECT_EQ(MediaTypeOf("audio/mpeg"), "audio");
  EXPECT_EQ(MediaTypeOf("application/pdf"), "document");
  EXPECT_EQ(MediaTypeOf("imagery"), "document");
  EXPECT_EQ(MediaTypeOf(""), "document");
  EXPECT_EQ(AssetTypeOf("image/jpeg"), "IMAGE");
  EXPECT_EQ(AssetTypeOf("text/plain"), "DOCUMENT");
}

}  // namespace
}  // namespace tintype::contexts
