#include "blobs/file_blob_store.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "blobs/testing/whole_blobs.h"

/// What is particular to blobs in files.
namespace tintype::blobs {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class FileBlobStoreTest : public ::testing::Test {
 protected:
  FileBlobStoreTest() { Reopen(); }

  void Reopen() {
    store_.reset();
    store_ = FileBlobStore::OpenRoot({root_, {"images", "uploads"}}).value();
  }
  void Put(const std::string& key, const std::string& bytes) {
    const auto info = PutBlob(*store_, {"images", key}, bytes);
    ASSERT_TRUE(info.ok()) << info.error().message();
  }
  /// Everything below the root, as paths.
  std::set<std::string> Paths() const {
    std::set<std::string> paths;
    for (const auto& entry : fs::recursive_directory_iterator(root_)) {
      paths.insert(fs::relative(entry.path(), root_).string());
    }
    return paths;
  }
  std::vector<std::string> Keys() {
    std::vector<std::string> keys;
    const BlobList list = store_->List({.bucket = "images"}).value();
    for (const ListedBlob& blob : list.blobs) {
      keys.push_back(blob.key);
    }
    return keys;
  }
  std::string Root(const std::string& path) const { return StrCat(root_, "/", path); }

  const TemporaryDirectory directory_;
  const std::string root_ = directory_.path() + "/not/there/yet";
  std::unique_ptr<FileBlobStore> store_;
};

// An operator finds each blob under its key, in a tree made for its owner alone.
TEST_F(FileBlobStoreTest, KeepsAPlainPrivateTree) {
  const mode_t before = ::umask(0);
  Put("images/1/LARGE", "large");
  Put(".hidden/100%", "odd");
  ::umask(before);
  EXPECT_THAT(Paths(), UnorderedElementsAre(".tmp", "images", "uploads", "images/images",
                                            "images/images/1", "images/images/1/LARGE",
                                            "images/%2Ehidden", "images/%2Ehidden/100%25"));
  std::ifstream file(Root("images/images/1/LARGE"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "large");
  for (const std::string& path : Paths()) {
    struct stat status {};
    ASSERT_EQ(::stat(Root(path).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, S_ISDIR(status.st_mode) ? 0700U : 0600U) << path;
  }
}

// The facts known of a blob do not depend on how they are asked for, and are the file's.
TEST_F(FileBlobStoreTest, TellsWhenABlobWasWritten) {
  const BlobInfo info = PutBlob(*store_, {"images", "a"}, "123").value();
  struct stat status {};
  ASSERT_EQ(::stat(Root("images/a").c_str(), &status), 0);
  EXPECT_EQ(info.modified_ms, status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1'000'000);
  EXPECT_EQ(store_->Head({"images", "a"}).value()->modified_ms, info.modified_ms);
  EXPECT_EQ(store_->Open({"images", "a"}).value()->info().modified_ms, info.modified_ms);
  EXPECT_EQ(store_->List({.bucket = "images"}).value().blobs[0].info.modified_ms, info.modified_ms);
}

// Blobs are there after the store was closed and opened; unfinished ones are not.
TEST_F(FileBlobStoreTest, OpeningRemovesWhatWasUnfinished) {
  Put("a/b", "kept");
  std::ofstream(Root(".tmp/17")) << "from a process that was killed";
  Reopen();
  EXPECT_THAT(Paths(), UnorderedElementsAre(".tmp", "images", "uploads", "images/a", "images/a/b"));
  EXPECT_EQ(GetBlob(*store_, {"images", "a/b"}).value(), "kept");
}

// A writer that is given up leaves no file, and one that commits leaves one.
TEST_F(FileBlobStoreTest, UnfinishedBlobsLeaveNothing) {
  const auto before = Paths();
  {
    const auto writer = store_->Create({"images", "x/y/z"});
    ASSERT_TRUE(writer.ok() && (*writer)->Write("half").ok());
    EXPECT_EQ(Paths().size(), before.size() + 1);
  }
  EXPECT_EQ(Paths(), before);
}

// Deleting and moving take folders that are empty with them, but never the bucket.
TEST_F(FileBlobStoreTest, EmptyFoldersGo) {
  const auto before = Paths();
  Put("a/b/c/1", "");
  Put("a/2", "");
  ASSERT_TRUE(store_->Delete({"images", "a/b/c/1"}).ok());
  EXPECT_FALSE(fs::exists(Root("images/a/b")));
  EXPECT_TRUE(fs::exists(Root("images/a/2")));
  ASSERT_TRUE(store_->Move({"images", "a/2"}, {"uploads", "m/n"}).ok());
  EXPECT_FALSE(fs::exists(Root("images/a")));
  ASSERT_TRUE(store_->Delete({"uploads", "m/n"}).ok());
  EXPECT_EQ(Paths(), before);
}

// A name cannot be a file and a folder: the second to come is refused, and nothing is left of it.
TEST_F(FileBlobStoreTest, AKeyCannotBeAFolderOfOthers) {
  Put("a/b", "1");
  Put("free", "2");
  const auto before = Paths();
  for (const char* key : {"a", "a/b/c", "a/b/c/d"}) {
    const auto writer = store_->Create({"images", key});
    ASSERT_FALSE(writer.ok()) << key;
    EXPECT_EQ(writer.error().kind(), ErrorKind::kInUse);
    EXPECT_EQ(store_->Move({"images", "free"}, {"images", key}).error().kind(), ErrorKind::kInUse);
    EXPECT_EQ(store_->Head({"images", key}).value(), std::nullopt);
    EXPECT_EQ(store_->Open({"images", key}).error().kind(), ErrorKind::kNotFound);
  }
  EXPECT_EQ(Paths(), before);

  // Also when the other came while this one was being written.
  const auto folder = store_->Create({"images", "c"});
  const auto below = store_->Create({"images", "d/e/f"});
  Put("c/1", "3");
  Put("d", "4");
  EXPECT_EQ((*folder)->Commit().error().kind(), ErrorKind::kInUse);
  EXPECT_EQ((*below)->Commit().error().kind(), ErrorKind::kInUse);
  EXPECT_THAT(Keys(), ElementsAre("a/b", "c/1", "d", "free"));
  EXPECT_TRUE(fs::is_empty(Root(".tmp")));
}

// A helper may write through the descriptor, and one may read through it.
TEST_F(FileBlobStoreTest, DescriptorsCanBeUsedDirectly) {
  const auto writer = store_->Create({"images", "a"});
  ASSERT_TRUE(writer.ok());
  ASSERT_GE((*writer)->descriptor(), 0);
  ASSERT_EQ(::pwrite((*writer)->descriptor(), "by a helper", 11, 0), 11);
  const auto info = (*writer)->Commit();
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->bytes, 11U);
  EXPECT_EQ((*writer)->descriptor(), -1);

  const auto blob = store_->Open({"images", "a"}).value();
  char text[20];
  ASSERT_EQ(::pread(blob->descriptor(), text, sizeof text, 3), 8);
  EXPECT_EQ(std::string_view(text, 8), "a helper");
  EXPECT_NE(::fcntl(blob->descriptor(), F_GETFD) & FD_CLOEXEC, 0);
}

// A blob that is open can be read to its end though it is deleted and the store closed.
TEST_F(FileBlobStoreTest, AnOpenBlobOutlivesItsDeletion) {
  Put("a/b", "bytes");
  const auto blob = store_->Open({"images", "a/b"}).value();
  ASSERT_TRUE(store_->Delete({"images", "a/b"}).ok());
  store_.reset();
  std::string bytes(5, '\0');
  EXPECT_EQ(blob->Read(0, bytes).value(), 5U);
  EXPECT_EQ(bytes, "bytes");
}

// A file that somebody cut short is reported, not passed off as the blob.
TEST_F(FileBlobStoreTest, ATruncatedFileIsCorruption) {
  Put("a", "0123456789");
  const auto blob = store_->Open({"images", "a"}).value();
  fs::resize_file(Root("images/a"), 4);
  std::string bytes(10, '\0');
  EXPECT_EQ(blob->Read(0, bytes).error().kind(), ErrorKind::kCorruption);
  EXPECT_EQ(blob->Read(0, std::span(bytes).first(4)).value(), 4U);
}

// Links, hidden files and other names that no key has are nobody's blobs, and nothing is followed.
TEST_F(FileBlobStoreTest, StrangersAreNotBlobs) {
  std::ofstream(directory_.path() + "/secret") << "secret";
  fs::create_symlink(directory_.path() + "/secret", Root("images/link"));
  std::ofstream(Root("images/.DS_Store")) << "x";
  std::ofstream(Root("images/a%41")) << "x";
  ASSERT_EQ(::mkfifo(Root("images/pipe").c_str(), 0600), 0);
  fs::create_directories(Root("images/empty/folder"));
  Put("real", "1");
  EXPECT_THAT(Keys(), ElementsAre("real"));
  for (const char* key : {"link", "pipe", "empty", ".DS_Store"}) {
    EXPECT_EQ(store_->Open({"images", key}).error().kind(), ErrorKind::kNotFound) << key;
    EXPECT_EQ(store_->Head({"images", key}).value(), std::nullopt) << key;
  }
}

// Empty folders, which a crash can leave, neither end a page early nor hide what follows.
TEST_F(FileBlobStoreTest, ListsPastEmptyFolders) {
  for (int i = 10; i < 50; ++i) {
    fs::create_directories(Root(StrCat("images/f", i)));
  }
  Put("f60/a", "1");
  Put("f70", "2");
  const BlobList page = store_->List({.bucket = "images", .limit = 1}).value();
  ASSERT_EQ(page.blobs.size(), 1U);
  EXPECT_EQ(page.blobs[0].key, "f60/a");
  EXPECT_TRUE(page.more);
}

// A path that cannot be opened is told by name.
TEST_F(FileBlobStoreTest, SaysWhyItCannotOpen) {
  std::ofstream(directory_.path() + "/file") << "x";
  const auto store = FileBlobStore::OpenRoot({directory_.path() + "/file/blobs", {"images"}});
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().kind(), ErrorKind::kIo);
  EXPECT_THAT(store.error().message(), HasSubstr("/file/blobs"));
  EXPECT_EQ(FileBlobStore::OpenRoot({root_, {"Bad"}}).error().kind(), ErrorKind::kValidation);
}

// A file that is adopted is not copied, and leaves nothing unfinished.
TEST_F(FileBlobStoreTest, AdoptsByAHardLink) {
  const std::string path = directory_.path() + "/upload";
  std::ofstream(path) << "bytes";
  ASSERT_TRUE(store_->Adopt(path, {"images", "a/b"}).ok());
  EXPECT_TRUE(fs::equivalent(path, Root("images/a/b")));
  EXPECT_TRUE(fs::is_empty(Root(".tmp")));
  fs::remove(path);
  EXPECT_EQ(GetBlob(*store_, {"images", "a/b"}).value(), "bytes");
  fs::create_symlink(Root("images/a/b"), path);
  EXPECT_EQ(store_->Adopt(path, {"images", "c"}).error().kind(), ErrorKind::kIo);
  EXPECT_TRUE(fs::is_empty(Root(".tmp")));
}

// Files have no links of their own: a program that wants to hand one out serves the blob itself.
TEST_F(FileBlobStoreTest, HasNoPresignedLinks) {
  EXPECT_EQ(store_->PresignGet({"images", "a"}, {}).value(), std::nullopt);
  EXPECT_FALSE(store_->PresignPut({"images", "a"}, {}).value().has_value());
}

// Moving goes on where a crash left two names of one file.
TEST_F(FileBlobStoreTest, FinishesAMoveThatWasStopped) {
  Put("from", "bytes");
  fs::create_hard_link(Root("images/from"), Root("images/to"));
  ASSERT_TRUE(store_->Move({"images", "from"}, {"images", "to"}).ok());
  EXPECT_THAT(Keys(), ElementsAre("to"));
  EXPECT_EQ(GetBlob(*store_, {"images", "to"}).value(), "bytes");
  EXPECT_TRUE(fs::is_empty(Root(".tmp")));
}

}  // namespace
}  // namespace tintype::blobs
