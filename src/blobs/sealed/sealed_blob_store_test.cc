#include "blobs/sealed/sealed_blob_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "blobs/file_blob_store.h"
#include "blobs/sealed/sealed_form.h"
#include "blobs/sealed/testing/sealed_bytes.h"
#include "blobs/testing/store_suite.h"
#include "blobs/testing/whole_blobs.h"

/// What is particular to sealed blobs; what every store promises is in the suite.
namespace tintype::blobs {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SealedBlobStoreTest : public ::testing::Test {
 protected:
  SealedBlobStoreTest()
      : plain_(OpenFiles()), store_(OpenBelow(), SharedKeysOf({1, 2}), NewBlobs::kSealed) {}

  /// The files below store_, whose blobs are in plain.
  std::unique_ptr<BlobStore> OpenBelow() {
    auto files = OpenFiles();
    below_ = files.get();
    return files;
  }

  std::unique_ptr<BlobStore> OpenFiles() {
    return FileBlobStore::OpenRoot({directory_.path(), {"images", "uploads"}}).value();
  }
  std::string Path(const std::string& key) const {
    return StrCat(directory_.path(), "/images/", key);
  }
  std::string OnDisk(const std::string& key) const { return ReadFile(Path(key)).value(); }
  void Change(const std::string& key, const std::string& bytes) {
    std::ofstream(Path(key), std::ios::trunc) << bytes;
  }
  static ErrorKind KindOf(const Result<std::string>& bytes) {
    return bytes.ok() ? ErrorKind::kInternal : bytes.error().kind();
  }

  const TemporaryDirectory directory_;
  const std::unique_ptr<BlobStore> plain_;
  BlobStore* below_ = nullptr;  // Owned by store_.
  SealedBlobStore store_;
};

// The disk has none of a blob's bytes, whichever way it came.
TEST_F(SealedBlobStoreTest, HidesBlobsOnDisk) {
  const std::string bytes = "\xFF\xD8\xFF\xE1 Exif: the garden at home";
  ASSERT_TRUE(PutBlob(store_, {"images", "written"}, bytes).ok());
  const std::string upload = directory_.path() + "/upload";
  ASSERT_TRUE(WriteFileAtomically(upload, bytes, 0600).ok());
  ASSERT_TRUE(store_.Adopt(upload, {"images", "adopted"}).ok());
  const auto writer = store_.Create({"images", "by_descriptor"}).value();
  ASSERT_EQ(::write(writer->descriptor(), bytes.data(), bytes.size()),
            static_cast<ssize_t>(bytes.size()));
  ASSERT_EQ(writer->Commit()->bytes, bytes.size());
  for (const char* key : {"written", "adopted", "by_descriptor"}) {
    EXPECT_THAT(OnDisk(key), Not(HasSubstr("garden"))) << key;
    EXPECT_EQ(OnDisk(key).size(), SealedBytesOf(bytes.size())) << key;
    EXPECT_EQ(GetBlob(store_, {"images", key}).value(), bytes) << key;
  }
}

// A helper's file of any size is sealed whole.
TEST_F(SealedBlobStoreTest, SealsWhatHelpersWrite) {
  for (const size_t size : {size_t{0}, kChunkBytes - 1, kChunkBytes, 3 * kChunkBytes + 5}) {
    const std::string bytes = Patterned(size);
    const auto writer = store_.Create({"images", "a"}).value();
    ASSERT_EQ(::pwrite(writer->descriptor(), bytes.data(), size, 0), static_cast<ssize_t>(size));
    ASSERT_EQ(writer->Commit()->bytes, size);
    EXPECT_TRUE(GetBlob(store_, {"images", "a"}).value() == bytes) << size;
  }
}

// A helper that wants a file gets one, in memory.
TEST_F(SealedBlobStoreTest, OpensSealedBlobsAsFiles) {
  const std::string bytes = Patterned(3 * kChunkBytes + 5);
  ASSERT_TRUE(PutBlob(store_, {"images", "a"}, bytes).ok());
  EXPECT_EQ(store_.Open({"images", "a"}).value()->descriptor(), -1);
  const auto local = store_.OpenLocal({"images", "a"}).value();
  std::string read(bytes.size() + 1, '\0');
  ASSERT_EQ(::pread(local->descriptor(), read.data(), read.size(), 0),
            static_cast<ssize_t>(bytes.size()));
  EXPECT_TRUE(read.starts_with(bytes));
}

// Blobs from before are as they were, in lists too, and a new one in their place is sealed.
TEST_F(SealedBlobStoreTest, ReadsWhatIsNotSealed) {
  ASSERT_TRUE(PutBlob(*plain_, {"images", "before"}, "as it was").ok());
  ASSERT_TRUE(PutBlob(store_, {"images", "since"}, "sealed").ok());
  EXPECT_EQ(GetBlob(store_, {"images", "before"}).value(), "as it was");
  EXPECT_GE(store_.OpenLocal({"images", "before"}).value()->descriptor(), 0);
  EXPECT_EQ(store_.Head({"images", "before"}).value()->bytes, 9U);
  const BlobList list = store_.List({.bucket = "images"}).value();
  ASSERT_EQ(list.blobs.size(), 2U);
  EXPECT_EQ(list.blobs[0].info.bytes, 9U);
  EXPECT_EQ(list.blobs[1].info.bytes, 6U);
  ASSERT_TRUE(PutBlob(store_, {"images", "before"}, "anew").ok());
  EXPECT_THAT(OnDisk("before"), Not(HasSubstr("anew")));
}

// Ranges at the borders of chunks are those of the blob.
TEST_F(SealedBlobStoreTest, ReadsAnyRange) {
  const std::string bytes = Patterned(2 * kChunkBytes + 10);
  ASSERT_TRUE(PutBlob(store_, {"images", "a"}, bytes).ok());
  const auto blob = store_.Open({"images", "a"}).value();
  for (const size_t offset : {size_t{0}, kChunkBytes - 1, kChunkBytes, kChunkBytes + 1,
                              2 * kChunkBytes, bytes.size() - 1}) {
    for (const size_t size : {size_t{1}, size_t{2}, kChunkBytes, kChunkBytes + 1, bytes.size()}) {
      std::string part(size, '\0');
      const size_t count = blob->Read(offset, part).value();
      EXPECT_TRUE(part.substr(0, count) == bytes.substr(offset, size)) << offset << " " << size;
      // It was written just now, so that it is in the system's memory.
      std::string part_now(size, '\0');
      const auto count_now = blob->ReadNow(offset, part_now).value();
      if (count_now) {
        EXPECT_TRUE(part_now.substr(0, *count_now) == part.substr(0, count)) << offset;
      }
    }
  }
}

// Damage is an error that says so, and only for those who read where it is.
TEST_F(SealedBlobStoreTest, DamageIsAnError) {
  const std::string bytes = Patterned(3 * kChunkBytes);
  ASSERT_TRUE(PutBlob(store_, {"images", "a"}, bytes).ok());
  const std::string sealed = OnDisk("a");
  std::string damaged = sealed;
  damaged[kSealedHeaderBytes + kSealedChunkBytes + 100] ^= 1;
  Change("a", damaged);
  EXPECT_EQ(KindOf(GetBlob(store_, {"images", "a"})), ErrorKind::kCorruption);
  EXPECT_FALSE(store_.OpenLocal({"images", "a"}).ok());
  std::string first(kChunkBytes, '\0');
  EXPECT_EQ(store_.Open({"images", "a"}).value()->Read(0, first).value(), kChunkBytes);
  // Nor is it given out without waiting: either it is found, or nothing is read.
  std::string second(kChunkBytes, '\0');
  const auto now = store_.Open({"images", "a"}).value()->ReadNow(kChunkBytes, second);
  EXPECT_TRUE(!now.ok() || !now->has_value());
  EXPECT_EQ(second, std::string(kChunkBytes, '\0')) << "not a byte of it";
  // Where a chunk ends, the file looks whole, but for its last chunk.
  Change("a", sealed.substr(0, kSealedHeaderBytes + kSealedChunkBytes));
  EXPECT_EQ(KindOf(GetBlob(store_, {"images", "a"})), ErrorKind::kCorruption);
  // A blob that does not begin as it should is no picture, either.
  for (size_t at = 0; at < kSealedMagic.size(); ++at) {
    damaged = sealed;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    Change("a", damaged);
    EXPECT_EQ(KindOf(GetBlob(store_, {"images", "a"})), ErrorKind::kCorruption) << at;
    EXPECT_FALSE(store_.OpenLocal({"images", "a"}).ok());
    if (at > 0) {
      Change("a", sealed.substr(0, at));
      EXPECT_EQ(KindOf(GetBlob(store_, {"images", "a"})), ErrorKind::kCorruption) << at;
    }
  }
  // Nothing keeps a list from its other entries.
  Change("a", sealed.substr(0, kSealedHeaderBytes + 1));
  EXPECT_EQ(store_.List({.bucket = "images"})->blobs.size(), 1U);
  EXPECT_NE(store_.Head({"images", "a"}).value()->bytes, bytes.size());
  Change("a", sealed);
  EXPECT_TRUE(GetBlob(store_, {"images", "a"}).value() == bytes);
}

// Readers of one blob do not disturb each other.
TEST_F(SealedBlobStoreTest, ManyReadOneBlob) {
  const std::string bytes = Patterned(2 * kChunkBytes + 10);
  ASSERT_TRUE(PutBlob(store_, {"images", "a"}, bytes).ok());
  const auto blob = store_.Open({"images", "a"}).value();
  constexpr int kReaders = 4;
  std::vector<std::thread> readers;
  readers.reserve(kReaders);
  for (int i = 0; i < kReaders; ++i) {
    readers.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        std::string read(bytes.size(), '\0');
        EXPECT_EQ(blob->Read(0, read).value(), bytes.size());
        EXPECT_TRUE(read == bytes);
      }
    });
  }
  for (std::thread& reader : readers) {
    reader.join();
  }
}

// Turned off again, what was sealed is read, and new blobs are plain files as before.
TEST_F(SealedBlobStoreTest, CanBeTurnedOff) {
  ASSERT_TRUE(PutBlob(store_, {"images", "sealed"}, "sealed").ok());
  SealedBlobStore off(OpenFiles(), SharedKeysOf({1, 2}), NewBlobs::kPlain);
  EXPECT_EQ(GetBlob(off, {"images", "sealed"}).value(), "sealed");
  ASSERT_TRUE(PutBlob(off, {"images", "plain"}, "in plain").ok());
  EXPECT_EQ(OnDisk("plain"), "in plain");
  EXPECT_GE(off.Open({"images", "plain"}).value()->descriptor(), 0);
}

// A blob from before is sealed in its place: it holds what it held, has the time that it had, and
// nobody who has it open notices. One that is sealed or not there is passed by.
TEST_F(SealedBlobStoreTest, SealsWhatIsInPlain) {
  const std::string bytes = Patterned(kChunkBytes + 10);
  ASSERT_TRUE(PutBlob(*plain_, {"images", "a"}, bytes).ok());
  const auto before = store_.Open({"images", "a"}).value();
  EXPECT_EQ(store_.Seal({"images", "a"}).value(), std::optional<uint64_t>(bytes.size()));
  EXPECT_THAT(OnDisk("a"), Not(HasSubstr(bytes.substr(0, 100))));
  const auto after = store_.Open({"images", "a"}).value();
  EXPECT_EQ(after->info().modified_ms, before->info().modified_ms);
  EXPECT_EQ(after->info().bytes, bytes.size());
  EXPECT_TRUE(GetBlob(store_, {"images", "a"}).value() == bytes);
  std::string read(bytes.size(), '\0');
  EXPECT_EQ(before->Read(0, read).value(), bytes.size());
  EXPECT_TRUE(read == bytes);
  EXPECT_EQ(store_.Seal({"images", "a"}).value(), std::nullopt);
  EXPECT_EQ(store_.Seal({"images", "b"}).value(), std::nullopt);
  SealedBlobStore off(OpenFiles(), SharedKeysOf({1, 2}), NewBlobs::kPlain);
  EXPECT_EQ(off.Seal({"images", "a"}).error().kind(), ErrorKind::kValidation);
  EXPECT_EQ(plain_->Seal({"images", "a"}).error().kind(), ErrorKind::kValidation);
}

// A write that was stopped between the hidden name and the removal of the other leaves nothing in
// plain, and the one with the hidden name, which is written last, is the blob.
TEST_F(SealedBlobStoreTest, SealsWhatHasTwoNames) {
  const BlobKey key{"images", "pictures/ada@example.com/a"};
  ASSERT_TRUE(PutBlob(store_, key, "newer").ok());
  ASSERT_TRUE(PutBlob(*plain_, key, "older").ok());
  EXPECT_TRUE(store_.Seal(key).ok());
  EXPECT_EQ(plain_->Head(key).value(), std::nullopt);
  EXPECT_EQ(GetBlob(store_, key).value(), "newer");
  // One that has only the name from before gets the other.
  const BlobKey from_before{"images", "pictures/bea@example.com/a"};
  ASSERT_TRUE(PutBlob(*plain_, from_before, "plain").ok());
  EXPECT_EQ(store_.Seal(from_before).value(), std::optional<uint64_t>(5));
  EXPECT_EQ(plain_->Head(from_before).value(), std::nullopt);
  EXPECT_EQ(GetBlob(store_, from_before).value(), "plain");
}

// A list goes on behind its last entry, by whichever name that lies there.
TEST_F(SealedBlobStoreTest, ListsByTheNamesThatAreThere) {
  for (const std::string who : {"ada", "bea", "cid"}) {
    ASSERT_TRUE(PutBlob(*plain_, {"images", StrCat("p/", who, "@example.com")}, "plain").ok());
    ASSERT_TRUE(PutBlob(store_, {"images", StrCat("p/", who, "@example.org")}, "sealed").ok());
  }
  std::vector<std::string> keys;
  ListRequest request{.bucket = "images", .limit = 1};
  for (bool more = true; more && keys.size() < 10;) {
    const BlobList page = store_.List(request).value();
    for (const ListedBlob& blob : page.blobs) {
      keys.push_back(blob.key);
    }
    more = page.more && !page.blobs.empty();
    request.after = page.blobs.empty() ? "" : page.after();
  }
  EXPECT_THAT(keys, ::testing::UnorderedElementsAre("p/ada@example.com", "p/ada@example.org",
                                                    "p/bea@example.com", "p/bea@example.org",
                                                    "p/cid@example.com", "p/cid@example.org"));
}

// Moving to a key that is taken leaves what is there, and moving nothing is fine.
TEST_F(SealedBlobStoreTest, FilesMoveUnlessThere) {
  const BlobKey a{"images", "x/a"};
  const BlobKey b{"images", "y/z/b"};
  ASSERT_TRUE(plain_->MoveUnlessThere(a, b).ok());
  EXPECT_EQ(plain_->Head(b).value(), std::nullopt);
  ASSERT_TRUE(PutBlob(*plain_, a, "first").ok());
  ASSERT_TRUE(plain_->MoveUnlessThere(a, b).ok());
  EXPECT_EQ(GetBlob(*plain_, b).value(), "first");
  EXPECT_EQ(plain_->Head(a).value(), std::nullopt);
  ASSERT_TRUE(PutBlob(*plain_, a, "second").ok());
  ASSERT_TRUE(plain_->MoveUnlessThere(a, b).ok());
  EXPECT_EQ(GetBlob(*plain_, b).value(), "first");
  EXPECT_EQ(plain_->Head(a).value(), std::nullopt);
}

// Deleting, replacing or moving a blob while another form of it is written has the last word.
TEST_F(SealedBlobStoreTest, TakesThePlaceOfTheSameBlobAlone) {
  for (const std::string key : {"deleted", "replaced", "moved"}) {
    ASSERT_TRUE(PutBlob(*plain_, {"images", key}, "old").ok());
    BlobRewrite rewrite = plain_->Rewrite({"images", key}).value();
    ASSERT_TRUE(rewrite.writer->Write("another form").ok());
    if (key == "deleted") {
      ASSERT_TRUE(plain_->Delete({"images", key}).ok());
    } else if (key == "moved") {
      ASSERT_TRUE(plain_->Move({"images", key}, {"images", "there"}).ok());
    } else {
      ASSERT_TRUE(PutBlob(*plain_, {"images", key}, "new").ok());
    }
    const auto committed = rewrite.writer->Commit();
    ASSERT_FALSE(committed.ok());
    EXPECT_EQ(committed.error().kind(), ErrorKind::kConditionFailed);
    const auto now = GetBlob(*plain_, {"images", key});
    EXPECT_EQ(now.ok() ? *now : "gone", key == "replaced" ? "new" : "gone");
  }
  EXPECT_EQ(GetBlob(*plain_, {"images", "there"}).value(), "old");
}

// The same when they do so at the same time, again and again.
TEST_F(SealedBlobStoreTest, SealsWhileOthersChange) {
  std::atomic<bool> over = false;
  std::thread sealer([&] {
    while (!over) {
      for (const std::string key : {"a", "b"}) {
        // Replaced again and again is what this one is.
        const auto sealed = store_.Seal({"images", key});
        EXPECT_TRUE(sealed.ok() || sealed.error().kind() == ErrorKind::kInUse || over)
            << sealed.error().message();
      }
    }
  });
  for (int round = 0; round < 300; ++round) {
    const std::string path = StrCat(directory_.path(), "/spooled");
    ASSERT_TRUE(WriteFileAtomically(path, StrCat("round ", round), 0600).ok());
    ASSERT_TRUE(below_->Adopt(path, {"images", "a"}).ok());
    ASSERT_EQ(GetBlob(store_, {"images", "a"}).value(), StrCat("round ", round));
    ASSERT_TRUE(store_.Move({"images", "a"}, {"images", "b"}).ok());
    ASSERT_EQ(GetBlob(store_, {"images", "b"}).value(), StrCat("round ", round));
    ASSERT_TRUE(store_.Delete({"images", "b"}).ok());
    ASSERT_FALSE(GetBlob(store_, {"images", "a"}).ok());
    ASSERT_FALSE(GetBlob(store_, {"images", "b"}).ok());
  }
  over = true;
  sealer.join();
}

}  // namespace
}  // namespace tintype::blobs
