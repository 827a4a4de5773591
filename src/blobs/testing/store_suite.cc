#include "blobs/testing/store_suite.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <thread>

#include "base/files.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "blobs/testing/whole_blobs.h"

namespace tintype::blobs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

template <typename T>
ErrorKind KindOf(const Result<T>& result) {
  EXPECT_FALSE(result.ok());
  return result.ok() ? ErrorKind::kInternal : result.error().kind();
}

}  // namespace

std::string Patterned(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<char>(i * 31 + i / 256);
  }
  return bytes;
}

void BlobStoreTest::Put(const std::string& key, const std::string& bytes) {
  const auto info = PutBlob(store(), {"images", key}, bytes);
  ASSERT_TRUE(info.ok()) << key << ": " << info.error().message();
  ASSERT_EQ(info->bytes, bytes.size());
}

std::string BlobStoreTest::Get(const std::string& key, const std::string& bucket) {
  const auto bytes = GetBlob(store(), {bucket, key});
  EXPECT_TRUE(bytes.ok() || bytes.error().kind() == ErrorKind::kNotFound);
  return bytes.ok() ? *bytes : "(none)";
}

std::vector<std::string> BlobStoreTest::Keys(const ListRequest& request) {
  const auto list = store().List(request);
  EXPECT_TRUE(list.ok());
  std::vector<std::string> keys;
  for (const ListedBlob& blob : list->blobs) {
    keys.push_back(blob.key);
  }
  return keys;
}

// Blobs of any size come back as they were written, in whatever pieces.
TEST_P(BlobStoreTest, WhatWasWrittenIsRead) {
  for (const size_t size : {0UL, 1UL, 4096UL, 3'000'001UL}) {
    const BlobKey key{"images", StrCat("images/", size, "/ORIGINAL")};
    const std::string bytes = Patterned(size);
    auto writer = store().Create(key);
    ASSERT_TRUE(writer.ok());
    for (size_t at = 0; at < size; at += 700'000) {
      ASSERT_TRUE((*writer)->Write(std::string_view(bytes).substr(at, 700'000)).ok());
    }
    const auto info = (*writer)->Commit();
    ASSERT_TRUE(info.ok());
    EXPECT_EQ(info->bytes, size);
    EXPECT_EQ(store().Head(key).value()->bytes, size);
    EXPECT_TRUE(GetBlob(store(), key).value() == bytes) << size;
  }
}

// A blob cannot be seen in any way before it is committed, and is never there if it is not.
TEST_P(BlobStoreTest, NothingIsVisibleBeforeCommit) {
  const BlobKey key{"images", "images/1/LARGE"};
  {
    const auto writer = store().Create(key);
    ASSERT_TRUE(writer.ok() && (*writer)->Write("half").ok());
    EXPECT_EQ(store().Head(key).value(), std::nullopt);
    EXPECT_EQ(KindOf(store().Open(key)), ErrorKind::kNotFound);
    EXPECT_THAT(AllKeys(), IsEmpty());
  }
  EXPECT_EQ(store().Head(key).value(), std::nullopt);
  EXPECT_THAT(AllKeys(), IsEmpty());
}

// A writer that has committed does nothing more.
TEST_P(BlobStoreTest, AWriterIsUsedOnce) {
  const auto writer = store().Create({"images", "a"});
  ASSERT_TRUE(writer.ok() && (*writer)->Write("1").ok() && (*writer)->Commit().ok());
  EXPECT_EQ(KindOf((*writer)->Write("2")), ErrorKind::kInternal);
  EXPECT_EQ(KindOf((*writer)->Commit()), ErrorKind::kInternal);
  EXPECT_EQ(Get("a"), "1");
}

// A commit replaces what was there, and not before.
TEST_P(BlobStoreTest, CommitReplaces) {
  Put("a/b", "the first, which is longer");
  const auto writer = store().Create({"images", "a/b"});
  ASSERT_TRUE(writer.ok() && (*writer)->Write("second").ok());
  EXPECT_EQ(Get("a/b"), "the first, which is longer");
  ASSERT_TRUE((*writer)->Commit().ok());
  EXPECT_EQ(Get("a/b"), "second");
  EXPECT_THAT(AllKeys(), ElementsAre("a/b"));
}

// An open blob has the bytes it had, or says that it is gone; it never shows another's.
TEST_P(BlobStoreTest, AnOpenBlobStaysItself) {
  for (const bool deleted : {false, true}) {
    Put("a/b", "before");
    const auto blob = store().Open({"images", "a/b"});
    ASSERT_TRUE(blob.ok());
    if (deleted) {
      ASSERT_TRUE(store().Delete({"images", "a/b"}).ok());
    } else {
      Put("a/b", "after, and longer");
    }
    std::string bytes(100, '\0');
    const auto count = (*blob)->Read(0, bytes);
    if (count.ok()) {
      EXPECT_EQ(bytes.substr(0, *count), "before");
    } else {
      EXPECT_EQ(count.error().kind(), ErrorKind::kNotFound);
    }
  }
}

// A blob that is wanted as a file has the same bytes, and is missing when there is none.
TEST_P(BlobStoreTest, OpensBlobsLocally) {
  const BlobKey key{"images", "a/b"};
  EXPECT_EQ(KindOf(store().OpenLocal(key)), ErrorKind::kNotFound);
  for (const size_t size : {0UL, 3'000'001UL}) {
    Put("a/b", Patterned(size));
    const auto blob = store().OpenLocal(key);
    ASSERT_TRUE(blob.ok());
    ASSERT_TRUE(store().Delete(key).ok());
    std::string bytes(size + 1, '\0');
    EXPECT_EQ((*blob)->bytes(), size);
    ASSERT_EQ((*blob)->Read(0, bytes).value(), size);
    EXPECT_TRUE(bytes.substr(0, size) == Patterned(size));
  }
}

// Any range can be read; nothing is read behind the end.
TEST_P(BlobStoreTest, ReadsRanges) {
  Put("a", "0123456789");
  const auto blob = store().Open({"images", "a"});
  ASSERT_TRUE(blob.ok());
  EXPECT_EQ((*blob)->bytes(), 10U);
  const struct {
    uint64_t offset;
    size_t size;
    std::string expected;
  } cases[] = {{0, 10, "0123456789"}, {0, 3, "012"}, {7, 3, "789"},        {7, 9, "789"},
               {9, 1, "9"},           {10, 1, ""},   {UINT64_MAX, 10, ""}, {3, 0, ""}};
  for (const auto& [offset, size, expected] : cases) {
    std::string bytes(size, '\0');
    const auto count = (*blob)->Read(offset, bytes);
    ASSERT_TRUE(count.ok());
    EXPECT_EQ(bytes.substr(0, *count), expected) << offset << " " << size;
    // Without waiting it is the same, or nothing.
    std::string now(size, '\0');
    const auto count_now = (*blob)->ReadNow(offset, now);
    ASSERT_TRUE(count_now.ok());
    if (*count_now) {
      EXPECT_EQ(now.substr(0, **count_now), expected) << offset << " " << size;
    }
  }
}

// Deleting takes one blob away, and nothing else; doing so again is fine.
TEST_P(BlobStoreTest, DeleteTakesOneBlobAway) {
  Put("a/b", "1");
  Put("a/bc", "2");
  ASSERT_TRUE(store().Delete({"images", "a/b"}).ok());
  EXPECT_THAT(AllKeys(), ElementsAre("a/bc"));
  for (const char* key : {"a/b", "a", "a/bc/d", "never/was"}) {
    EXPECT_TRUE(store().Delete({"images", key}).ok()) << key;
  }
  EXPECT_THAT(AllKeys(), ElementsAre("a/bc"));
  // A name that was a folder can be a blob once the folder is empty.
  ASSERT_TRUE(store().Delete({"images", "a/bc"}).ok());
  Put("a", "3");
  EXPECT_THAT(AllKeys(), ElementsAre("a"));
}

// Deleting a folder takes everything below it, and no neighbours.
TEST_P(BlobStoreTest, DeletePrefixTakesAFolder) {
  for (const char* key : {"i/1/LARGE", "i/1/v2/LARGE", "i/1/v2/THUMB", "i/10/LARGE", "i/1a", "j"}) {
    Put(key, key);
  }
  EXPECT_EQ(store().DeletePrefix("images", "i/1/").value(), 3U);
  EXPECT_THAT(AllKeys(), ElementsAre("i/10/LARGE", "i/1a", "j"));
  EXPECT_EQ(store().DeletePrefix("images", "i/1/").value(), 0U);
  EXPECT_EQ(KindOf(store().DeletePrefix("images", "i/1")), ErrorKind::kValidation);
  EXPECT_EQ(KindOf(store().DeletePrefix("images", "")), ErrorKind::kValidation);
  EXPECT_EQ(AllKeys().size(), 3U);
}

// A moved blob is under its new key alone, whatever was there before.
TEST_P(BlobStoreTest, MoveGivesABlobAnotherKey) {
  Put("from/1", "one");
  ASSERT_TRUE(store().Move({"images", "from/1"}, {"images", "to/a/1"}).ok());
  EXPECT_THAT(AllKeys(), ElementsAre("to/a/1"));
  EXPECT_EQ(Get("to/a/1"), "one");

  Put("from/2", "two");
  ASSERT_TRUE(store().Move({"images", "from/2"}, {"images", "to/a/1"}).ok());
  EXPECT_EQ(Get("to/a/1"), "two");

  ASSERT_TRUE(store().Move({"images", "to/a/1"}, {"uploads", "up"}).ok());
  EXPECT_THAT(AllKeys(), IsEmpty());
  EXPECT_EQ(Get("up", "uploads"), "two");
}

// A move can be repeated, with what a crash may have left of it; only when nothing is there it
// fails.
TEST_P(BlobStoreTest, MoveCanBeRepeated) {
  const BlobKey from{"images", "from"};
  const BlobKey to{"images", "to"};
  EXPECT_EQ(KindOf(store().Move(from, to)), ErrorKind::kNotFound);
  Put("from", "bytes");
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(store().Move(from, to).ok());
    EXPECT_THAT(AllKeys(), ElementsAre("to"));
    EXPECT_EQ(Get("to"), "bytes");
  }
}

// Moving a blob to its own key keeps it.
TEST_P(BlobStoreTest, MoveToTheSameKeyChangesNothing) {
  const BlobKey key{"images", "a/b"};
  EXPECT_EQ(KindOf(store().Move(key, key)), ErrorKind::kNotFound);
  Put("a/b", "bytes");
  EXPECT_TRUE(store().Move(key, key).ok());
  EXPECT_EQ(Get("a/b"), "bytes");
}

// A local file becomes a blob in place of what was there, as often as it is asked for; the file
// stays for its owner to remove.
TEST_P(BlobStoreTest, AdoptsALocalFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/upload";
  const BlobKey key{"images", "u/1"};
  EXPECT_EQ(KindOf(store().Adopt(path, key)), ErrorKind::kNotFound);
  EXPECT_THAT(AllKeys(), IsEmpty());
  for (const size_t size : {0UL, 11UL, 3'000'001UL}) {
    const std::string bytes = Patterned(size);
    // A file of its own each time: an adopted one is not to be written to.
    ASSERT_TRUE(WriteFileAtomically(path, bytes, 0600).ok());
    for (int i = 0; i < 2; ++i) {
      const auto info = store().Adopt(path, key);
      ASSERT_TRUE(info.ok()) << info.error().message();
      EXPECT_EQ(info->bytes, size);
      EXPECT_TRUE(Get("u/1") == bytes);
    }
    EXPECT_EQ(ReadFile(path).value(), bytes);
  }
  EXPECT_THAT(AllKeys(), ElementsAre("u/1"));
  EXPECT_EQ(KindOf(store().Adopt(path, {"images", "../x"})), ErrorKind::kValidation);
  EXPECT_EQ(KindOf(store().Adopt(path, {"other", "x"})), ErrorKind::kNotFound);
  EXPECT_FALSE(store().Adopt(directory.path(), key).ok());
}

// Keys come in the order of their bytes, with what is known of them, in pages of any size.
TEST_P(BlobStoreTest, ListsInTheOrderOfBytes) {
  // '-' and '.' sort before '/', digits after it; '%' before letters; text beyond ASCII last.
  const std::vector<std::string> keys = {"%",      "%2E/x", ".a/b", "a-b",     "a.b",
                                         "a/b/1",  "a/b1",  "a/c",  "a0",      "ab/x",
                                         "b/.c/d", "b/%",   "z",    "\xC3\xA4"};
  for (const std::string& key : keys) {
    Put(key, key);
  }
  std::vector<std::string> sorted = keys;
  std::ranges::sort(sorted);
  EXPECT_EQ(AllKeys(), sorted);
  for (size_t limit = 1; limit <= sorted.size() + 1; ++limit) {
    std::vector<std::string> paged;
    ListRequest request{.bucket = "images", .limit = limit};
    for (bool more = true; more;) {
      const auto page = store().List(request);
      ASSERT_TRUE(page.ok());
      ASSERT_LE(page->blobs.size(), limit);
      for (const ListedBlob& blob : page->blobs) {
        EXPECT_EQ(blob.info.bytes, blob.key.size());
        paged.push_back(blob.key);
      }
      more = page->more;
      request.after = paged.back();
    }
    EXPECT_EQ(paged, sorted) << limit;
  }
}

// A prefix may end anywhere, `after` need not exist, and both together are the intersection.
TEST_P(BlobStoreTest, ListsBetweenPrefixAndAfter) {
  for (const char* key : {"a", "i/1/L", "i/1/v2/L", "i/1/v2/S", "i/10/L", "i/2/L", "j/1"}) {
    Put(key, "");
  }
  const struct {
    std::string prefix;
    std::string after;
    std::vector<std::string> expected;
  } cases[] = {
      {"i/1/", "", {"i/1/L", "i/1/v2/L", "i/1/v2/S"}},
      {"i/1", "", {"i/1/L", "i/1/v2/L", "i/1/v2/S", "i/10/L"}},
      {"i/1/v", "", {"i/1/v2/L", "i/1/v2/S"}},
      {"i/1/v2/L", "", {"i/1/v2/L"}},
      {"i/1", "i/1/v2/L", {"i/1/v2/S", "i/10/L"}},
      {"i/1", "i/1/v2/", {"i/1/v2/L", "i/1/v2/S", "i/10/L"}},
      {"i/1", "i/1/zz", {"i/10/L"}},
      {"", "i/1~", {"i/2/L", "j/1"}},
      {"", "i/2/L", {"j/1"}},
      {"j", "a", {"j/1"}},
      {"a", "", {"a"}},
      {"a/", "", {}},
      {"k", "", {}},
      {"k/l/m", "", {}},
      {"", "z", {}},
      {"../", "", {}},
      {"i//", "", {}},
      {"/", "", {}},
  };
  for (const auto& [prefix, after, expected] : cases) {
    EXPECT_EQ(Keys({.bucket = "images", .prefix = prefix, .after = after}), expected)
        << prefix << " " << after;
  }
}

// Each page says truthfully whether there is more.
TEST_P(BlobStoreTest, PagesEnd) {
  Put("a", "");
  Put("b/c", "");
  EXPECT_TRUE(store().List({.bucket = "images", .limit = 1})->more);
  EXPECT_FALSE(store().List({.bucket = "images", .limit = 2})->more);
  for (const size_t limit : {size_t{0}, kListLimitMax + 1}) {
    EXPECT_EQ(KindOf(store().List({.bucket = "images", .limit = limit})), ErrorKind::kValidation);
  }
}

// No call takes a key that is none, or a bucket that is not there.
TEST_P(BlobStoreTest, RefusesBadKeysAndUnknownBuckets) {
  const struct {
    BlobKey key;
    ErrorKind kind;
  } cases[] = {{{"images", "../secret"}, ErrorKind::kValidation},
               {{"images", ""}, ErrorKind::kValidation},
               {{"..", "a"}, ErrorKind::kValidation},
               {{"other", "a"}, ErrorKind::kNotFound}};
  const BlobKey good{"images", "good"};
  Put("good", "");
  for (const auto& [key, code] : cases) {
    EXPECT_EQ(KindOf(store().Create(key)), code);
    EXPECT_EQ(KindOf(store().Open(key)), code);
    EXPECT_EQ(KindOf(store().OpenLocal(key)), code);
    EXPECT_EQ(KindOf(store().Head(key)), code);
    EXPECT_EQ(KindOf(store().Delete(key)), code);
    EXPECT_EQ(KindOf(store().Move(key, good)), code);
    EXPECT_EQ(KindOf(store().Move(good, key)), code);
  }
  EXPECT_EQ(KindOf(store().List({.bucket = "other"})), ErrorKind::kNotFound);
  EXPECT_EQ(KindOf(store().DeletePrefix("other", "a/")), ErrorKind::kNotFound);
  EXPECT_EQ(Get("good"), "");
}

// Threads that write, move and delete in the same folders, which come and go, never fail or mix
// bytes.
TEST_P(BlobStoreTest, ThreadsShareFolders) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 15;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      const std::string mine(5000, static_cast<char>('a' + thread));
      const BlobKey own{"images", StrCat("x/y/", thread)};
      const BlobKey moved{"images", StrCat("x/z/", thread)};
      const BlobKey shared{"images", "s/t/shared"};
      for (int round = 0; round < kRounds; ++round) {
        EXPECT_TRUE(PutBlob(store(), own, mine).ok());
        EXPECT_TRUE(store().Move(own, moved).ok());
        EXPECT_TRUE(GetBlob(store(), moved).value() == mine);
        EXPECT_TRUE(store().Delete(moved).ok());
        EXPECT_TRUE(PutBlob(store(), shared, mine).ok());
        const auto bytes = GetBlob(store(), shared);
        if (bytes.ok()) {
          EXPECT_TRUE(*bytes == std::string(5000, (*bytes)[0]));
        } else {
          // Another thread has replaced it between opening and reading.
          EXPECT_EQ(bytes.error().kind(), ErrorKind::kNotFound);
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_THAT(AllKeys(), ElementsAre("s/t/shared"));
}

}  // namespace tintype::blobs
