#include "blobs/sealed/hidden_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "blobs/blob_key.h"
#include "blobs/sealed/testing/sealed_bytes.h"

namespace tintype::blobs {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Proves that an address is not in the name, that the name is a valid key and the same each time,
// and that the key comes back, however long the address is.
TEST(HiddenNamesTest, HidesAddresses) {
  const HiddenNames names(KeysOf({1}));
  for (const size_t length : {3U, 100U, 141U, 151U, 152U, 160U, 254U}) {
    const std::string email = StrCat(std::string(length - 2, 'a'), "@b");
    for (const std::string& key : {StrCat("pictures/", email, "/profile.jpg"), StrCat(email, "/x"),
                                   StrCat("x/", email), StrCat("pictures/", email, "/")}) {
      const std::string name = names.Hide(key);
      EXPECT_THAT(name, Not(HasSubstr("@")));
      EXPECT_EQ(names.Hide(key), name);
      EXPECT_EQ(names.Show(name), key);
      EXPECT_TRUE(key.ends_with('/') || ValidateBlobKey({"images", name}).ok()) << length;
    }
  }
  EXPECT_NE(names.Hide("a@b"), names.Hide("a@c"));
}

// Proves that other names are left alone, also those that look hidden, and hidden ones where the
// key is another; and that a further key changes nothing.
TEST(HiddenNamesTest, LeavesOthersAlone) {
  const HiddenNames names(KeysOf({1}));
  const std::string name = names.Hide("p/a@b/c");
  EXPECT_EQ(HiddenNames(KeysOf({2})).Show(name), name);
  EXPECT_EQ(HiddenNames(KeysOf({1, 2})).Show(name), "p/a@b/c");
  EXPECT_EQ(HiddenNames(KeysOf({1, 2})).Hide("p/a@b/c"), name);
  for (const std::string key : {"images/1/LARGE", "~", "~/~", "a/~AAAA/b", "a//b", "", "a~b"}) {
    EXPECT_EQ(names.Hide(key), key);
    EXPECT_EQ(names.Show(key), key);
  }
}

}  // namespace
}  // namespace tintype::blobs
