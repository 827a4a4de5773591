#include "base/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"

namespace tintype {
namespace {

using ::testing::HasSubstr;

class FilesTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return StrCat(directory_.path(), "/", name); }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  const TemporaryDirectory directory_;
};

// A file is read as it was written, with the mode that was asked for, and nothing lies beside it,
// also when a crash had left something there that is open to all.
TEST_F(FilesTest, FilesAreReplacedAsAWhole) {
  const std::string content = std::string(10'000, 'x') + std::string("\0\n", 2);
  std::ofstream(Path("a.tmp")) << "left by a crash, and longer than nothing";
  std::filesystem::permissions(Path("a.tmp"), std::filesystem::perms::all);
  for (const std::string& each : {std::string("old"), content, std::string()}) {
    ASSERT_TRUE(WriteFileAtomically(Path("a"), each, 0600).ok());
    EXPECT_EQ(*ReadFile(Path("a")), each);
  }
  struct stat status {};
  ASSERT_EQ(::stat(Path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_EQ(Names(), std::vector<std::string>{"a"});
}

// Until it is finished, and if it never is, the old file is there and nothing else.
TEST_F(FilesTest, AnUnfinishedFileLeavesTheOldOne) {
  ASSERT_TRUE(WriteFileAtomically(Path("a"), "old", 0600).ok());
  {
    auto file = NewFile::Create(Path("a"), 0600);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->Write("new").ok());
    EXPECT_EQ(*ReadFile(Path("a")), "old");
  }
  EXPECT_EQ(*ReadFile(Path("a")), "old");
  EXPECT_EQ(Names(), std::vector<std::string>{"a"});
}

// A disk that takes a part of what is written and then no more is an error, and leaves the old
// file.
TEST_F(FilesTest, AFullDiskIsAnError) {
  ASSERT_TRUE(WriteFileAtomically(Path("a"), "old", 0600).ok());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status written = WriteFileAtomically(Path("a"), std::string(4000, 'x'), 0600);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind(), ErrorKind::kIo);
  EXPECT_THAT(written.error().message(), HasSubstr("Cannot write " + Path("a.tmp")));
  EXPECT_EQ(*ReadFile(Path("a")), "old");
  EXPECT_EQ(Names(), std::vector<std::string>{"a"});

  const Descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  const Status refused = WriteAll(full, "x", "/dev/full");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind(), ErrorKind::kIo);
}

// Signals that interrupt reading and writing, or cut a piece short, lose and repeat nothing.
TEST_F(FilesTest, SignalsDoNotMatter) {
  struct sigaction action {};
  action.sa_handler = [](int) {};  // Without SA_RESTART, so that calls are interrupted.
  struct sigaction before {};
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  std::string content;
  for (int i = 0; i < 200'000; ++i) {
    StrAppend(content, i, ' ');
  }
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  const pthread_t reader = ::pthread_self();
  std::atomic<bool> done = false;
  Status written = OkStatus();
  std::thread writer([&] {
    written = WriteAll(write_end, content, "pipe");
    write_end = Descriptor();
  });
  std::thread disturber([&] {
    while (!done) {
      ::pthread_kill(reader, SIGUSR1);
      ::pthread_kill(writer.native_handle(), SIGUSR1);
    }
  });
  const auto read = ReadFile(StrCat("/proc/self/fd/", read_end.number()));
  read_end = Descriptor();  // A reader that gave up does not keep the writer waiting.
  done = true;
  disturber.join();
  writer.join();
  ASSERT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
  EXPECT_TRUE(written.ok());
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_TRUE(*read == content);
}

// Missing files, too large ones, and paths that are no file are told apart and named.
TEST_F(FilesTest, ErrorsNameTheFile) {
  const auto missing = ReadFile(Path("a"));
  EXPECT_EQ(missing.error().kind(), ErrorKind::kNotFound);
  EXPECT_THAT(missing.error().message(), HasSubstr("Cannot open " + Path("a")));
  EXPECT_EQ(ReadFile(directory_.path()).error().kind(), ErrorKind::kIo);
  ASSERT_TRUE(WriteFileAtomically(Path("a"), "12345", 0600).ok());
  EXPECT_TRUE(ReadFile(Path("a"), 5).ok());
  EXPECT_THAT(ReadFile(Path("a"), 4).error().message(), HasSubstr("larger than 4 bytes"));
  EXPECT_EQ(WriteFileAtomically(Path("no/a"), "", 0600).error().kind(), ErrorKind::kNotFound);
  EXPECT_EQ(SyncFolder(Path("a")).error().kind(), ErrorKind::kIo);
}

// Folders are made down to the last one, and something else in the way is an error.
TEST_F(FilesTest, FoldersAreMade) {
  ASSERT_TRUE(MakeFolders(Path("a/b/c")).ok());
  EXPECT_TRUE(MakeFolders(Path("a/b/c")).ok());
  EXPECT_TRUE(std::filesystem::is_directory(Path("a/b/c")));
  ASSERT_TRUE(WriteFileAtomically(Path("a/file"), "", 0600).ok());
  EXPECT_EQ(MakeFolders(Path("a/file")).error().kind(), ErrorKind::kIo);
  EXPECT_EQ(MakeFolders(Path("a/file/b")).error().kind(), ErrorKind::kIo);
}

// Paths are taken apart as text, whatever is on disk.
TEST_F(FilesTest, PathsAreTakenApart) {
  EXPECT_EQ(ParentFolder("a"), ".");
  EXPECT_EQ(ParentFolder("/a/b"), "/a");
  EXPECT_EQ(ParentFolder("/a"), "/");
  EXPECT_EQ(AbsolutePath("/a/./b/../c/"), "/a/c");
  EXPECT_EQ(AbsolutePath("x"), (std::filesystem::current_path() / "x").string());
}

}  // namespace
}  // namespace tintype
