#include "blobs/blob_key.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "blobs/internal/key_path.h"

namespace tintype::blobs {
namespace {

/// A key of so many bytes, in components of 99.
std::string Long(size_t size) {
  std::string key(size, 'x');
  for (size_t i = 99; i + 1 < size; i += 100) {
    key[i] = '/';
  }
  return key;
}

// Keys that every store can hold are accepted.
TEST(BlobKeyTest, AcceptsWhatFileSystemsAndS3CanHold) {
  const std::string keys[] = {
      "a",
      "images/01ARZ3NDEKTSV4RRFFQ69G5FAV/v2/LARGE",
      "profile-pictures/jane+1@example.com/profile.jpg",
      ".hidden/..a/...",
      "100%/%2E",
      "with spaces and \\ : * ? \" < > |",
      "gr\xC3\xBC\xC3\x9F/\xE5\x86\x99\xE7\x9C\x9F/\xF0\x9F\x93\xB7",
      "\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF",  // Around the surrogates, and the last of all.
      std::string(255, 'x'),
      std::string(85, '%'),
      std::string(252, 'x').insert(0, "."),
      Long(1024),
  };
  for (const std::string& key : keys) {
    EXPECT_TRUE(ValidateBlobKey({"images", key}).ok()) << key;
  }
}

// A key that could leave the folder, cannot be a name or is not text is refused.
TEST(BlobKeyTest, RefusesWhatIsNoKey) {
  const std::string keys[] = {
      "",
      "/",
      "/a",
      "a/",
      "a//b",
      ".",
      "..",
      "../a",
      "a/./b",
      "a/..",
      std::string("a\0b", 3),
      "a\nb",
      "\x1F",
      "\x7F",
      "a\xC2\x85",         // U+0085, a control character too.
      "\x80",              // A continuation without a beginning.
      "\xC3",              // Cut short.
      "\xC0\xAF",          // An overlong slash.
      "\xE0\x80\xAF",      // Another.
      "\xED\xA0\x80",      // A surrogate.
      "\xF4\x90\x80\x80",  // Above U+10FFFF.
      "\xFF",
      std::string(256, 'x'),
      std::string(86, '%'),                  // 258 bytes as a name.
      std::string(253, 'x').insert(0, "."),  // 256.
      Long(1025),
  };
  for (const std::string& key : keys) {
    const Status status = ValidateBlobKey({"images", key});
    ASSERT_FALSE(status.ok()) << key;
    EXPECT_EQ(status.error().kind(), ErrorKind::kValidation);
  }
}

// Bucket names are S3's.
TEST(BlobKeyTest, BucketsAreNamedAsOnS3) {
  for (const char* name : {"images", "uploads", "my.bucket-2", "123", "a-b", "10.0.1"}) {
    EXPECT_TRUE(ValidateBucketName(name).ok()) << name;
  }
  EXPECT_TRUE(ValidateBucketName(std::string(63, 'a')).ok());
  for (const char* name : {"", "ab", "Images", "a/b", "../x", ".tmp", "-ab", "ab-", "ab.", "a_b",
                           "bc\xC3\xA4", "a..b", "10.0.0.1"}) {
    EXPECT_FALSE(ValidateBucketName(name).ok()) << name;
  }
  EXPECT_FALSE(ValidateBucketName(std::string(64, 'a')).ok());
  EXPECT_FALSE(ValidateBlobKey({"x", "key"}).ok());
}

// Components become names that no file system minds, and come back; other names come back as
// nothing.
TEST(BlobKeyTest, ComponentsAreNamesAndBack) {
  const struct {
    std::string component;
    std::string name;
  } cases[] = {
      {"LARGE", "LARGE"}, {"a.b", "a.b"},   {".tmp", "%2Etmp"}, {"...", "%2E.."},
      {"50%", "50%25"},   {"%2E", "%252E"}, {"%", "%25"},       {"a b", "a b"},
  };
  for (const auto& [component, name] : cases) {
    EXPECT_EQ(EncodeComponent(component), name);
    EXPECT_EQ(DecodeComponent(name), component);
  }
  for (const char* name : {".hidden", "a%2Eb", "%2e", "%41", "%", "a%2", "%2"}) {
    EXPECT_EQ(DecodeComponent(name), std::nullopt) << name;
  }
  EXPECT_EQ(EncodeKey("a/.b/c%"), "a/%2Eb/c%25");
  EXPECT_EQ(EncodeKey("a/.b/"), "a/%2Eb/");
}

}  // namespace
}  // namespace tintype::blobs
