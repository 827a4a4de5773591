// A command's output is what it wrote, and one that fails, hangs or talks too much is an error.

#include "cli/secrets/run_command.h"

#include <gtest/gtest.h>

namespace tintype::cli {
namespace {

using std::chrono::milliseconds;

// Of standard output alone; there is nothing to read for it.
TEST(RunCommandTest, ReturnsWhatWasWritten) {
  const auto output = RunCommand("printf 'a b\\n'; printf c >&2; cat", {});
  ASSERT_TRUE(output.ok()) << output.error().message();
  EXPECT_EQ(*output, "a b\n");
}

TEST(RunCommandTest, FailuresSayWhatHappened) {
  struct Case {
    const char* command;
    const char* words;
  };
  const Case cases[] = {
      {"echo secret; exit 7", "failed with exit code 7"},
      {"no-such-program-anywhere 2>/dev/null", "failed with exit code 127"},
      {"kill -9 $$", "was ended by signal 9"},
      {"sleep 100", "was killed"},
      {"exec >&-; sleep 100", "was killed"},
      // What it started must not live on, nor be waited for.
      {"sleep 100 & wait", "was killed"},
      {"while :; do echo secret; done", "was killed"},
  };
  for (const Case& each : cases) {
    const auto output = RunCommand(each.command, {milliseconds(300), 4096});
    ASSERT_FALSE(output.ok()) << each.command;
    EXPECT_EQ(output.error().kind(), ErrorKind::kIo);
    const std::string& message = output.error().message();
    EXPECT_NE(message.find(each.words), std::string::npos) << message;
    EXPECT_NE(message.find(each.command), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace tintype::cli
