#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <string>
#include <thread>

#include "base/strings.h"
#include "base/testing/eventually.h"
#include "darkroom/imaging/testing/imaging_test.h"

// The real helper as a process: what it may do, and that it does not wear out.

namespace tintype::darkroom {
namespace {

using vips::VImage;

class HelperTest : public ImagingTest {
 protected:
  std::string ProcPath(std::string_view name) {
    return StrCat("/proc/", darkroom_.process_ids().at(0), "/", name);
  }
  static std::string Read(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::string ReadProc(std::string_view name) { return Read(ProcPath(name)); }
  static size_t CountEntries(const std::string& path) {
    size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path)) {
      ++count;
    }
    return count;
  }
  size_t CountDescriptors() { return CountEntries(ProcPath("fd")); }
  int64_t StatusKilobytes(std::string_view name) {
    const std::string status = ReadProc("status");
    return std::stol(status.substr(status.find(name) + name.size() + 1));
  }
  int64_t ResidentKilobytes() { return StatusKilobytes("VmRSS"); }
};

// Proves what is told of a file, by its header.
TEST_F(HelperTest, TellsWhatAFileIs) {
  vips::VImage lying = Photo(80, 50).copy();
  lying.set("orientation", 6);
  const struct {
    std::string file;
    std::string media_type;
    int width;
    bool alpha;
  } cases[] = {
      {Jpeg(lying), "image/jpeg", 50, false},
      {Png(WithHalfTransparent(Photo(80, 50))), "image/png", 80, true},
      {Webp(Photo(80, 50)), "image/webp", 80, false},
  };
  for (const auto& test : cases) {
    const auto developed = Develop(test.file, 64);
    ASSERT_TRUE(developed.ok()) << developed.error().message();
    const Original& original = developed->developed.original;
    EXPECT_EQ(original.media_type, test.media_type);
    EXPECT_EQ(original.width, test.width);
    EXPECT_EQ(original.height, 130 - test.width);
    EXPECT_EQ(original.pages, 1);
    EXPECT_EQ(original.has_alpha, test.alpha);
  }
}

// Proves that the helper has nothing of the server's: no environment, no directory, no files, and
// no way to gain rights or to dump what it saw.
TEST_F(HelperTest, IsConfined) {
  ASSERT_TRUE(Develop(Jpeg(Photo(64, 64)), 64).ok());
  EXPECT_EQ(ReadProc("environ"), "");
  EXPECT_EQ(std::filesystem::read_symlink(ProcPath("cwd")), "/");
  EXPECT_NE(ReadProc("status").find("NoNewPrivs:\t1"), std::string::npos);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // Each of its threads, and libvips has started some.
  EXPECT_TRUE(darkroom_.sandboxed());
  size_t threads = 0;
  for (const auto& thread : std::filesystem::directory_iterator(ProcPath("task"))) {
    const std::string status =
        ReadProc(StrCat("task/", thread.path().filename().string(), "/status"));
    EXPECT_NE(status.find("Seccomp:\t2"), std::string::npos) << status;
    ++threads;
  }
  EXPECT_GT(threads, 1U);
#endif
  EXPECT_EQ(CountDescriptors(), 4U);
  for (const int standard : {0, 1, 2}) {
    EXPECT_EQ(std::filesystem::read_symlink(ProcPath(StrCat("fd/", standard))), "/dev/null");
  }
  EXPECT_NE(::getpgid(darkroom_.process_ids().at(0)), ::getpgrp());
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const std::string limits = ReadProc("limits");
  EXPECT_NE(limits.find("Max core file size        0                    0"), std::string::npos);
  EXPECT_NE(limits.find("Max address space         1610612736           1610612736"),
            std::string::npos)
      << limits;
#endif
}

// Proves what forks from the template depend on: it has one thread, nothing of any file or helper,
// and helpers that are the server's own children.
TEST_F(HelperTest, ComesFromATemplateThatHasNothing) {
  const MemoryFile input(Jpeg(Photo(64, 64)));
  for (const std::string_view account : {"ada", "bob"}) {
    const MemoryFile output;
    ASSERT_TRUE(
        darkroom_.Develop(account, {.input = input.number(), .sizes = {{"S", 64, output.number()}}})
            .ok());
  }
  const std::string path = StrCat("/proc/", darkroom_.template_id());
  EXPECT_EQ(Read(StrCat(path, "/comm")), "helper-template\n");
  EXPECT_EQ(CountEntries(StrCat(path, "/fd")), 4U);
  EXPECT_EQ(Read(StrCat(path, "/environ")), "");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_EQ(CountEntries(StrCat(path, "/task")), 1U);
#endif
  EXPECT_EQ(ReadProc("comm"), "tintype-darkroo\n");
  EXPECT_NE(ReadProc("status").find(StrCat("\nPPid:\t", ::getpid(), "\n")), std::string::npos);
  EXPECT_EQ(darkroom_.stats().templates_started, 1U);
}

// Proves that helpers end with a server that is killed, even those that are not listening, and so
// does their template. The server is a child of the test.
TEST_F(HelperTest, EndsWithItsServer) {
  int pipes[2] = {-1, -1};
  ASSERT_EQ(::pipe(pipes), 0);
  const std::string file = Jpeg(Photo(64, 64));
  const pid_t server = ::fork();
  if (server == 0) {
    Darkroom darkroom(HelperConfig());
    const MemoryFile input(file);
    if (DevelopOn(darkroom, input).ok()) {
      const pid_t processes[] = {darkroom.process_ids().at(0), darkroom.template_id()};
      if (::kill(processes[0], SIGSTOP) == 0 && ::kill(processes[1], SIGSTOP) == 0 &&
          ::write(pipes[1], processes, sizeof(processes)) == sizeof(processes)) {
        ::raise(SIGKILL);
      }
    }
    ::_exit(1);
  }
  ::close(pipes[1]);
  pid_t processes[2] = {};
  ASSERT_EQ(::read(pipes[0], processes, sizeof(processes)),
            static_cast<ssize_t>(sizeof(processes)));
  for (const pid_t process : processes) {
    ASSERT_GT(process, 0);
    // Nobody may be there to take note of its end, so a zombie is as good as gone.
    EXPECT_TRUE(Eventually([&] {
      const std::string text = Read(StrCat("/proc/", process, "/stat"));
      return text.empty() || text.find(") Z ") != std::string::npos;
    }));
  }
  ::waitpid(server, nullptr, 0);
  ::close(pipes[0]);
}

// Proves that a helper that is stopped in the midst of its work is killed in time and replaced.
TEST_F(HelperTest, IsKilledWhenItHangs) {
  Config config = HelperConfig();
  config.limits.wall_ms = 2'000;
  Darkroom darkroom(config);
  const MemoryFile input(Jpeg(Photo(64, 64)));
  ASSERT_TRUE(DevelopOn(darkroom, input).ok());
  const pid_t stopped = darkroom.process_ids().at(0);
  ASSERT_EQ(::kill(stopped, SIGSTOP), 0);
  const auto late = DevelopOn(darkroom, input);
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(KindOf(late.error()), FailureKind::kOutOfTime);
  EXPECT_NE(::kill(stopped, 0), 0);
  EXPECT_TRUE(DevelopOn(darkroom, input).ok());
}

// Sanitizers keep memory back on purpose.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Proves that neither descriptors nor memory grow with the number of items, good and bad ones.
TEST_F(HelperTest, DoesNotWearOut) {
  const std::string files[] = {Jpeg(Photo(640, 480)), Png(WithHalfTransparent(Photo(320, 240))),
                               Webp(Photo(320, 240)), Jpeg(Photo(640, 480)).substr(0, 20'000),
                               "not an image"};
  const auto work = [&](int items) {
    for (int i = 0; i < items; ++i) {
      Develop(files[static_cast<size_t>(i) % std::size(files)], 256).PermitUncheckedError();
    }
  };
  work(40);
  const pid_t helper = darkroom_.process_ids().at(0);
  const size_t descriptors = CountDescriptors();
  const int64_t before = ResidentKilobytes();
  work(200);
  EXPECT_EQ(darkroom_.process_ids().at(0), helper);
  EXPECT_EQ(CountDescriptors(), descriptors);
  EXPECT_LT(ResidentKilobytes(), before + 8 * 1024) << "before: " << before;
}

// Proves that a photo goes through the helper row by row, and that a helper without work gives its
// memory back.
TEST_F(HelperTest, NeedsLittleMemory) {
  const std::string small = Jpeg(Photo(64, 64));
  ASSERT_TRUE(Develop(small, 64).ok());
  const int64_t before = ResidentKilobytes();
  ASSERT_TRUE(Develop(Jpeg(Photo(4000, 3000), VImage::option()->set("Q", 90)), 2048).ok());
  EXPECT_LT(StatusKilobytes("VmHWM"), 60 * 1024);
  EXPECT_TRUE(Eventually([&] { return ResidentKilobytes() < before + 8 * 1024; }));
}
#endif

}  // namespace
}  // namespace tintype::darkroom
