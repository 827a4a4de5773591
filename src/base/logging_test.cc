#include "base/logging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tintype {
namespace {

using ::testing::EndsWith;
using ::testing::MatchesRegex;

// What `write` sends to standard error. The descriptor itself is redirected, as the log goes past
// stdio.
template <typename Write>
std::string Captured(Write write) {
  ::testing::internal::CaptureStderr();
  write();
  return ::testing::internal::GetCapturedStderr();
}

std::string LoggedValue(std::string_view text) {
  return Captured([&] { LogInfo("test", {{"key", text}}); });
}

// A line is logfmt: time in UTC with milliseconds, level, event, then the fields in order.
TEST(LoggingTest, WritesTimeLevelEventAndFields) {
  const std::string line = Captured([] {
    LogWarning("slow request", {{"table", "photos"}, {"ms", -12}, {"empty", ""}});
  });
  EXPECT_THAT(line, MatchesRegex("time=[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
                                 "\\.[0-9]{3}Z level=warning event=\"slow request\" "
                                 "table=photos ms=-12 empty=\"\"\n"));
}

// A client's text stays one value on one line, whatever is in it, so that nobody can forge a log
// line.
TEST(LoggingTest, QuotesWhatCouldBeMistaken) {
  struct Case {
    std::string text;
    std::string logged;
  };
  const Case cases[] = {
      {"plain-text_1.2/3", "plain-text_1.2/3"},
      {"\xC3\xA4", "\xC3\xA4"},
      {"two words", R"("two words")"},
      {"a=b", R"("a=b")"},
      {R"(say "hi")", R"("say \"hi\"")"},
      {R"(back\slash)", R"("back\\slash")"},
      {"x\ntime=0 level=error event=forged", R"("x\ntime=0 level=error event=forged")"},
      {"\r\t\x1B[2J\x7F", R"("\x0d\x09\x1b[2J\x7f")"},
      {std::string("nul\0byte", 8), R"("nul\x00byte")"},
  };
  for (const Case& c : cases) {
    const std::string line = LoggedValue(c.text);
    EXPECT_THAT(line, EndsWith(" event=test key=" + c.logged + "\n"));
    EXPECT_EQ(std::ranges::count(line, '\n'), 1) << line;
  }
}

// Every byte that is no printable character is escaped.
TEST(LoggingTest, WritesNoControlCharacters) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    all.push_back(static_cast<char>(byte));
  }
  const std::string line = LoggedValue(all);
  const auto is_control = [](unsigned char c) { return c < ' ' || c == 0x7F; };
  EXPECT_EQ(std::ranges::count_if(line, is_control), 1);
  EXPECT_EQ(line.back(), '\n');
}

// Lines below the level are not written, and LogEnabled says so beforehand.
TEST(LoggingTest, LeavesOutWhatIsBelowTheLevel) {
  EXPECT_FALSE(LogEnabled(LogLevel::kDebug));
  EXPECT_EQ(Captured([] { Log(LogLevel::kDebug, "detail"); }), "");
  SetLogLevel(LogLevel::kError);
  EXPECT_FALSE(LogEnabled(LogLevel::kWarning));
  EXPECT_TRUE(LogEnabled(LogLevel::kError));
  EXPECT_EQ(Captured([] { LogWarning("hidden"); }), "");
  EXPECT_THAT(Captured([] { LogError("shown"); }), EndsWith(" level=error event=shown\n"));
  SetLogLevel(LogLevel::kInfo);
}

}  // namespace
}  // namespace tintype
