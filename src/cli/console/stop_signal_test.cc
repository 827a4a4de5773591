#include "cli/console/stop_signal.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tintype::cli {
namespace {

// Proves that the first signal ends the wait, and that the second ends the process at once even
// though nothing waits for it.
TEST(StopSignalTest, FirstStopsSecondExits) {
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    StopSignal stop_signal;
    char told = 'r';
    [[maybe_unused]] ssize_t written = ::write(pipe_ends[1], &told, 1);
    told = stop_signal.Wait() == SIGTERM ? 's' : 'x';
    written = ::write(pipe_ends[1], &told, 1);
    for (;;) {
      ::pause();
    }
  }
  ASSERT_GT(child, 0);
  char told = 0;
  ASSERT_EQ(::read(pipe_ends[0], &told, 1), 1);
  EXPECT_EQ(told, 'r');
  ::kill(child, SIGTERM);
  ASSERT_EQ(::read(pipe_ends[0], &told, 1), 1);
  EXPECT_EQ(told, 's');
  ::kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
}

}  // namespace
}  // namespace tintype::cli
