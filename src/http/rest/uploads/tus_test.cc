#include "http/rest/uploads/tus.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace tintype::http::rest {
namespace {

// Proves that names come with their values, with and without padding, that a name may stand alone,
// and that the example of the protocol reads as it says.
TEST(TusTest, ReadsMetadata) {
  struct Case {
    std::string header;
    TusMetadata expected;
  };
  const std::vector<Case> cases = {
      {"filename d29ybGRfZG9taW5hdGlvbl9wbGFuLnBkZg==,is_confidential",
       {{"filename", "world_domination_plan.pdf"}, {"is_confidential", ""}}},
      {"", {}},
      {"  a YQ== , b Yg  ,c ", {{"a", "a"}, {"b", "b"}, {"c", ""}}},
      {"bytes /+8=", {{"bytes", "\xFF\xEF"}}},
      {"title U3RyYcOfZQ==", {{"title", "Straße"}}},
  };
  for (const Case& each : cases) {
    const auto metadata = ParseTusMetadata(each.header);
    ASSERT_TRUE(metadata.ok()) << each.header;
    EXPECT_EQ(*metadata, each.expected) << each.header;
  }
}

// Proves that what is no list of names and values in base64 is refused.
TEST(TusTest, RefusesOtherMetadata) {
  for (const std::string header : {"a\t\t YQ==", "a\x01 YQ==", "a Y", "a YQ===", "a YQ==,a Yg==",
                                   ",", "a YQ==,,b", "a Y Q", "a _-8=", "a YR=="}) {
    const auto metadata = ParseTusMetadata(header);
    ASSERT_FALSE(metadata.ok()) << header;
    EXPECT_EQ(metadata.error().kind(), ErrorKind::kValidation);
  }
}

// Proves that a checksum is an algorithm and bytes, and nothing else is one.
TEST(TusTest, ReadsChecksums) {
  const auto checksum = ParseTusChecksum("sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=");
  ASSERT_TRUE(checksum.ok());
  EXPECT_EQ(checksum->algorithm, "sha1");
  EXPECT_EQ(checksum->digest.size(), 20U);
  for (const std::string header : {"", "sha1", "sha1 ", "sha1 ???", " Kq5s"}) {
    EXPECT_FALSE(ParseTusChecksum(header).ok()) << header;
  }
}

}  // namespace
}  // namespace tintype::http::rest
