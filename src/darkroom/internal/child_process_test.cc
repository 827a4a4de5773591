#include "darkroom/internal/child_process.h"

#include <gtest/gtest.h>

#include <signal.h>
#include <spawn.h>

#include "base/testing/eventually.h"
#include "darkroom/failure.h"

namespace tintype::darkroom {
namespace {

/// A process that does nothing for longer than any test.
pid_t StartSleeper() {
  char name[] = "sleep";
  char seconds[] = "3600";
  char* arguments[] = {name, seconds, nullptr};
  char* environment[] = {nullptr};
  pid_t pid = -1;
  EXPECT_EQ(::posix_spawn(&pid, "/bin/sleep", nullptr, nullptr, arguments, environment), 0);
  return pid;
}

rlimit FilesOf(const ChildProcess& process) {
  rlimit limit = {};
  EXPECT_EQ(::prlimit(process.pid(), RLIMIT_NOFILE, nullptr, &limit), 0);
  return limit;
}

// Proves that a limit holds, that one which is lower already stays, that a failure is told, and
// that a process which is gone needs no limits.
TEST(ChildProcessTest, Limits) {
  ChildProcess process(StartSleeper());
  ASSERT_TRUE(process.Limit(RLIMIT_NOFILE, 32, 48).ok());
  EXPECT_EQ(FilesOf(process).rlim_cur, 32U);
  EXPECT_EQ(FilesOf(process).rlim_max, 48U);
  ASSERT_TRUE(process.Limit(RLIMIT_NOFILE, 64, 64).ok());
  EXPECT_EQ(FilesOf(process).rlim_cur, 48U);
  EXPECT_EQ(FilesOf(process).rlim_max, 48U);
  const Status unknown = process.Limit(RLIM_NLIMITS, 1, 1);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(KindOf(unknown.error()), FailureKind::kNotRunning);
  process.End();
  EXPECT_TRUE(process.Limit(RLIMIT_NOFILE, 16, 16).ok());
}

// Proves that an end that we brought about is told from others.
TEST(ChildProcessTest, KnowsItsOwnEnd) {
  ChildProcess ended(StartSleeper());
  EXPECT_FALSE(ended.OwnEnd());
  ended.End();
  EXPECT_FALSE(ended.OwnEnd());
  ChildProcess killed(StartSleeper());
  ASSERT_EQ(::kill(killed.pid(), SIGTERM), 0);
  ASSERT_TRUE(Eventually([&] { return killed.OwnEnd().has_value(); }));
  EXPECT_EQ(*killed.OwnEnd(), SIGTERM);
  EXPECT_EQ(killed.End(), SIGTERM);
}

}  // namespace
}  // namespace tintype::darkroom
