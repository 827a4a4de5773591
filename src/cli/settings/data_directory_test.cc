#include "cli/settings/data_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/testing/temporary_directory.h"
#include "base/ulid.h"

namespace tintype::cli {
namespace {

using ::testing::HasSubstr;

class DataDirectoryTest : public ::testing::Test {
 protected:
  TemporaryDirectory temporary_;
  const std::string folder_ = temporary_.path();
};

// Proves that a new directory is private, parents are made, and the second opening finds it.
TEST_F(DataDirectoryTest, CreatedPrivatelyAndFoundAgain) {
  const std::string path = folder_ + "/a/b/";
  EXPECT_EQ(OpenDataDirectory(path).error().kind(), ErrorKind::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/a"));
  const auto created = OpenOrCreateDataDirectory(path);
  ASSERT_TRUE(created.ok()) << created.error().message();
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  EXPECT_EQ(*ReadFile(path + "/FORMAT"), "tintype 1\n");
  EXPECT_TRUE(OpenDataDirectory(path).ok());
  EXPECT_TRUE(OpenOrCreateDataDirectory(path).ok());
}

// Proves that set-up which was cut short is taken up again.
TEST_F(DataDirectoryTest, UnfinishedSetUpIsContinued) {
  std::ofstream(folder_ + "/FORMAT.tmp") << "tinty";
  EXPECT_TRUE(OpenOrCreateDataDirectory(folder_).ok());
  EXPECT_EQ(*ReadFile(folder_ + "/FORMAT"), "tintype 1\n");
}

// Proves that a directory with other things in it is left alone.
TEST_F(DataDirectoryTest, RefusesADirectoryOfSomethingElse) {
  std::ofstream(folder_ + "/holiday.jpg") << "x";
  const auto opened = OpenOrCreateDataDirectory(folder_);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind(), ErrorKind::kValidation);
  EXPECT_THAT(opened.error().message(), HasSubstr("holiday.jpg"));
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/FORMAT"));
}

// Proves that another format is refused, and that the message says which was found.
TEST_F(DataDirectoryTest, RefusesAnotherFormat) {
  for (const std::string format : {"tintype 0", "tintype 7"}) {
    std::ofstream(folder_ + "/FORMAT") << format << "\n";
    const auto opened = OpenOrCreateDataDirectory(folder_);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().kind(), ErrorKind::kValidation);
    EXPECT_THAT(opened.error().message(), HasSubstr("'" + format + "'"));
  }
}

// Proves that a node keeps the name that it was given first, that no two are given the same, and
// that a file which holds no name is told of.
TEST_F(DataDirectoryTest, NodeHasOneName) {
  const DataDirectory directory{folder_};
  const auto name = NodeOf(directory);
  ASSERT_TRUE(name.ok()) << name.error().message();
  EXPECT_TRUE(IsUlid(*name)) << *name;
  EXPECT_EQ(*NodeOf(directory), *name);
  std::filesystem::remove(directory.node());
  EXPECT_NE(*NodeOf(directory), *name);
  for (const std::string damaged : {"", "\n", "a b", "a/b"}) {
    std::ofstream(directory.node()) << damaged;
    EXPECT_EQ(NodeOf(directory).error().kind(), ErrorKind::kCorruption) << damaged;
  }
  std::ofstream(directory.node()) << "by-hand\n";
  EXPECT_EQ(*NodeOf(directory), "by-hand");
}

// Proves that a directory belongs to no gallery until one is recorded, and that a file without an
// id in it is an error that names the file.
TEST_F(DataDirectoryTest, BelongsToOneGallery) {
  const DataDirectory directory{folder_};
  EXPECT_EQ(FindGalleryId(directory).value(), std::nullopt);
  ASSERT_TRUE(RecordGalleryId(directory, "01ARZ3NDEKTSV4RRFFQ69G5FAV").ok());
  EXPECT_EQ(FindGalleryId(directory).value(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  for (const std::string damaged : {"", "\n", "a b", "a/b"}) {
    std::ofstream(directory.gallery()) << damaged;
    const auto found = FindGalleryId(directory);
    ASSERT_FALSE(found.ok()) << damaged;
    EXPECT_EQ(found.error().kind(), ErrorKind::kCorruption);
    EXPECT_THAT(found.error().message(), HasSubstr(directory.gallery()));
  }
}

}  // namespace
}  // namespace tintype::cli
