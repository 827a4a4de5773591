#include "delivery/resized_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/check.h"
#include "base/files.h"
#include "base/testing/temporary_directory.h"
#include "blobs/sealed/testing/sealed_bytes.h"

namespace tintype::delivery {
namespace {

constexpr uint64_t kBlock = 4096;
constexpr uint64_t kFreeMin = 100 * kBlock;

class ResizedCacheTest : public testing::Test {
 protected:
  void Open(uint64_t blocks) {
    cache_.reset();
    auto cache =
        ResizedCache::Open({folder(), blocks * kBlock, kFreeMin, [this] { return Free(); }});
    ASSERT_TRUE(cache.ok()) << cache.error().message();
    cache_ = *std::move(cache);
  }
  std::string folder() const { return directory_.path() + "/cache/resized"; }

  Picture Add(const std::string& owner, const std::string& text, const std::string& content) {
    auto draft = cache_->Create();
    CHECK(draft.ok());
    CHECK(::write(draft->descriptor(), content.data(), content.size()) ==
          static_cast<ssize_t>(content.size()));
    auto picture = cache_->Add({owner, text}, *std::move(draft));
    CHECK(picture.ok());
    return *std::move(picture);
  }
  static std::string ReadAll(const Picture& picture) {
    std::string content(picture.bytes, '\0');
    CHECK(::pread(picture.file->number(), content.data(), content.size(), 0) ==
          static_cast<ssize_t>(content.size()));
    return content;
  }
  bool Has(const std::string& owner, const std::string& text) {
    return cache_->Find({owner, text}).has_value();
  }
  size_t Files() const {
    size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder())) {
      files += entry.is_regular_file() ? 1 : 0;
    }
    return files;
  }

  /// What is left of a disk on which there is nothing but the cache and what others write.
  uint64_t Free() const { return disk_ - others_ - Files() * kBlock; }

  TemporaryDirectory directory_;
  uint64_t disk_ = 1000 * kBlock;
  uint64_t others_ = 0;
  std::unique_ptr<ResizedCache> cache_;
};

// Proves that a picture is found under its name, whatever is in that, and under no other.
TEST_F(ResizedCacheTest, FindsWhatWasAdded) {
  Open(10);
  EXPECT_EQ(ReadAll(Add("../a/b", "w=1\n", "one")), "one");
  const auto found = cache_->Find({"../a/b", "w=1\n"});
  ASSERT_TRUE(found);
  EXPECT_EQ(ReadAll(*found), "one");
  EXPECT_GT(found->modified_ms, 0);
  EXPECT_FALSE(Has("../a/b", "w=1"));
  EXPECT_FALSE(Has("../a", "w=1\n"));
  Add("../a/b", "w=1\n", "other");
  EXPECT_EQ(ReadAll(*cache_->Find({"../a/b", "w=1\n"})), "other");
  EXPECT_EQ(cache_->count(), 1U);
  EXPECT_EQ(cache_->bytes(), kBlock);
}

// Proves that the bound holds on disk, and that what was not asked for longest goes.
TEST_F(ResizedCacheTest, KeepsWithinItsBound) {
  Open(3);
  for (const std::string text : {"a", "b", "c"}) {
    Add("id", text, text);
  }
  EXPECT_TRUE(Has("id", "a"));
  Add("id", "d", "d");
  EXPECT_TRUE(Has("id", "a"));
  EXPECT_FALSE(Has("id", "b"));
  EXPECT_EQ(Files(), 3U);
  Add("id", "large", std::string(2 * kBlock, 'x'));
  EXPECT_EQ(Files(), 2U);
  EXPECT_LE(cache_->bytes(), 3 * kBlock);
  // A picture larger than the whole cache is sent, and not kept.
  EXPECT_EQ(ReadAll(Add("id", "huge", std::string(4 * kBlock, 'x'))).size(), 4 * kBlock);
  EXPECT_FALSE(Has("id", "huge"));
  EXPECT_EQ(Files(), 2U);
}

// Proves that with no room at all pictures can still be sent.
TEST_F(ResizedCacheTest, KeepsNothingWhenTold) {
  Open(0);
  EXPECT_EQ(ReadAll(Add("id", "a", "bytes")), "bytes");
  EXPECT_FALSE(Has("id", "a"));
  EXPECT_EQ(Files(), 0U);
}

// Proves that a restart finds the pictures, keeps to a smaller bound, and removes what was
// unfinished.
TEST_F(ResizedCacheTest, SurvivesARestart) {
  Open(3);
  for (const std::string text : {"a", "b", "c"}) {
    Add("id", text, text);
  }
  const auto unfinished = cache_->Create();
  ASSERT_TRUE(unfinished.ok());
  EXPECT_EQ(Files(), 4U);
  Open(3);
  EXPECT_EQ(Files(), 3U);
  EXPECT_EQ(cache_->bytes(), 3 * kBlock);
  EXPECT_TRUE(Has("id", "a"));
  Open(1);
  EXPECT_EQ(Files(), 1U);
}

// Proves that pictures do not fill the disk: below the mark none is kept, and old ones go until the
// mark is reached, whoever filled the disk, and at a start too.
TEST_F(ResizedCacheTest, LeavesRoomOnTheDisk) {
  Open(500);
  disk_ = kFreeMin + 4 * kBlock;
  for (const std::string text : {"a", "b", "c", "d"}) {
    Add("id", text, text);
  }
  EXPECT_EQ(Files(), 4U);
  // Its draft is what the disk has no room for.
  EXPECT_EQ(ReadAll(Add("id", "e", "bytes")), "bytes");
  EXPECT_FALSE(Has("id", "e"));
  EXPECT_EQ(Files(), 4U);
  others_ = 2 * kBlock;
  cache_->MakeRoom();
  EXPECT_EQ(Files(), 2U);
  EXPECT_TRUE(Has("id", "d"));
  EXPECT_FALSE(Has("id", "b"));
  Add("id", "f", "f");
  EXPECT_FALSE(Has("id", "f"));
  others_ = 3 * kBlock;
  Open(500);
  EXPECT_EQ(Files(), 1U);
  others_ = disk_ - 10 * kBlock;
  EXPECT_EQ(ReadAll(Add("id", "g", "bytes")), "bytes");
  EXPECT_EQ(Files(), 0U);
  others_ = 0;
  Add("id", "g", "bytes");
  EXPECT_TRUE(Has("id", "g"));
}

// Proves that a picture that is not finished leaves nothing behind.
TEST_F(ResizedCacheTest, ForgetsWhatWasNotFinished) {
  Open(3);
  {
    const auto draft = cache_->Create();
    ASSERT_TRUE(draft.ok());
    EXPECT_EQ(Files(), 1U);
  }
  EXPECT_EQ(Files(), 0U);
}

// Proves that all of an image's pictures go with it, and nobody else's; and that one can be sent to
// its end.
TEST_F(ResizedCacheTest, ForgetsAnOwner) {
  Open(10);
  const Picture open = Add("1", "a", "one");
  Add("1", "b", "two");
  Add("10", "a", "ten");
  cache_->Forget("1");
  EXPECT_FALSE(Has("1", "a"));
  EXPECT_FALSE(Has("1", "b"));
  EXPECT_TRUE(Has("10", "a"));
  EXPECT_EQ(Files(), 1U);
  EXPECT_EQ(ReadAll(open), "one");
  struct stat status = {};
  ASSERT_EQ(::fstat(open.file->number(), &status), 0);
  EXPECT_EQ(status.st_nlink, 0U);
}

// Proves that an operator may empty the folder while the server runs.
TEST_F(ResizedCacheTest, NoticesThatItWasEmptied) {
  Open(3);
  Add("id", "a", "one");
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    if (entry.path().filename() != "drafts") {
      std::filesystem::remove_all(entry.path());
    }
  }
  EXPECT_FALSE(Has("id", "a"));
  EXPECT_EQ(cache_->bytes(), 0U);
  Add("id", "a", "again");
  EXPECT_TRUE(Has("id", "a"));
}

// Sealed pictures are what they were, now and after a restart, and nothing of them is on the disk;
// one that was damaged, or is there from other settings, is made again.
TEST_F(ResizedCacheTest, SealsPictures) {
  const auto open = [this](std::shared_ptr<const blobs::SealingKeys> keys) {
    cache_.reset();
    cache_ = *ResizedCache::Open({folder(), 100 * kBlock, 0, {}, std::move(keys)});
  };
  const auto keys = blobs::SharedKeysOf({1});
  open(keys);
  const Picture added = Add("a", "1", "known bytes of a picture");
  EXPECT_EQ(ReadAll(added), "known bytes of a picture");
  std::string path;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder())) {
    if (entry.is_regular_file()) {
      path = entry.path().string();
    }
  }
  const std::string sealed = ReadFile(path).value();
  EXPECT_EQ(sealed.find("known"), std::string::npos);
  open(keys);
  const auto found = cache_->Find({"a", "1"});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(ReadAll(*found), "known bytes of a picture");
  EXPECT_EQ(found->modified_ms, added.modified_ms);

  std::string damaged = sealed;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  ASSERT_TRUE(WriteFileAtomically(path, damaged, 0600).ok());
  EXPECT_FALSE(Has("a", "1"));
  EXPECT_EQ(cache_->count(), 0U);
  EXPECT_FALSE(std::filesystem::exists(path));

  Add("a", "1", "sealed");
  open(nullptr);
  EXPECT_FALSE(Has("a", "1"));
  Add("a", "1", "plain");
  open(keys);
  EXPECT_FALSE(Has("a", "1"));
}

}  // namespace
}  // namespace tintype::delivery
