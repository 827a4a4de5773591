#include "imports/folder_walk.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"

namespace tintype::imports {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class FolderWalkTest : public testing::Test {
 protected:
  std::string At(const std::string& path) { return StrCat(directory_.path(), "/", path); }
  void Write(const std::string& path, const std::string& content = "x") {
    fs::create_directories(fs::path(At(path)).parent_path());
    std::ofstream(At(path)) << content;
  }
  Result<PassedOver> WalkAll(const std::string& leave_out = "") {
    found_.clear();
    unreadable_.clear();
    return WalkFolder(
        {At("tree"), leave_out,
         [this](const FoundFile& file) {
           found_.push_back(file.path.substr(At("tree/").size()));
           return OkStatus();
         },
         [this](const std::string& path, const Error&) { unreadable_.push_back(path); }});
  }

  TemporaryDirectory directory_;
  std::vector<std::string> found_;
  std::vector<std::string> unreadable_;
};

// Proves that all files are found, in an order that does not depend on the file system, and that
// nothing hidden, linked or special is.
TEST_F(FolderWalkTest, FindsFilesInOrder) {
  Write("outside/secret.jpg");
  for (const char* name : {"tree/b/2.jpg", "tree/b/1.jpg", "tree/a.jpg", "tree/c/d/e.jpg",
                           "tree/.hidden/x.jpg", "tree/b/.hidden.jpg", "tree/z\xFF.jpg"}) {
    Write(name);
  }
  fs::create_symlink(At("outside"), At("tree/b/link"));
  fs::create_symlink(At("outside/secret.jpg"), At("tree/link.jpg"));
  ASSERT_EQ(::mkfifo(At("tree/pipe").c_str(), 0600), 0);
  const auto walked = WalkAll();
  ASSERT_TRUE(walked.ok());
  EXPECT_THAT(found_, ElementsAre("a.jpg", "b/1.jpg", "b/2.jpg", "c/d/e.jpg", "z\xFF.jpg"));
  EXPECT_EQ(walked->hidden, 2);
  EXPECT_EQ(walked->links, 2);
  EXPECT_EQ(walked->special, 1);
  ASSERT_TRUE(WalkAll(At("tree/b")).ok());
  EXPECT_THAT(found_, ElementsAre("a.jpg", "c/d/e.jpg", "z\xFF.jpg"));
}

// Proves what a file is known by: its size, and its time of change to the nanosecond.
TEST_F(FolderWalkTest, TellsSizeAndTime) {
  Write("tree/a.jpg", "12345");
  const timespec times[2] = {{1'700'000'000, 0}, {1'700'000'000, 123'456'789}};
  ASSERT_EQ(::utimensat(AT_FDCWD, At("tree/a.jpg").c_str(), times, 0), 0);
  FoundFile found;
  ASSERT_TRUE(WalkFolder({At("tree"), "",
                          [&](const FoundFile& file) {
                            found = file;
                            return OkStatus();
                          },
                          [](const std::string&, const Error&) {}})
                  .ok());
  EXPECT_EQ(found.bytes, 5U);
  EXPECT_EQ(found.modified_ns, 1'700'000'000'123'456'789);
}

// Proves that a folder that cannot be read is told and passed over, that one which is not there is
// an error, and that whoever looks at the files can end the walk.
TEST_F(FolderWalkTest, GoesOnUnlessToldNotTo) {
  EXPECT_EQ(WalkAll().error().kind(), ErrorKind::kNotFound);
  Write("tree/a.jpg");
  Write("tree/b/c.jpg");
  Write("tree/d.jpg");
  if (::geteuid() != 0) {  // Nothing is closed to root.
    fs::permissions(At("tree/b"), fs::perms::none);
    ASSERT_TRUE(WalkAll().ok());
    EXPECT_THAT(found_, ElementsAre("a.jpg", "d.jpg"));
    EXPECT_THAT(unreadable_, ElementsAre(At("tree/b")));
    fs::permissions(At("tree/b"), fs::perms::owner_all);
  }
  int seen = 0;
  const auto ended = WalkFolder({At("tree"), "",
                                 [&](const FoundFile&) -> Status {
                                   return ++seen == 2 ? Status(Error::InUse("enough")) : OkStatus();
                                 },
                                 [](const std::string&, const Error&) {}});
  EXPECT_EQ(ended.error().kind(), ErrorKind::kInUse);
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace tintype::imports
