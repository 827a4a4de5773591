#include "cli/audit/moment.h"

#include <gtest/gtest.h>

#include "base/time_text.h"

namespace tintype::cli {
namespace {

// Proves that each spelling means the same time, and that nothing else is taken for one.
TEST(MomentTest, Spellings) {
  const int64_t now_ms = 1'800'000'000'000;
  const auto text = [&](const char* given) {
    const auto parsed = ParseMoment(given, now_ms);
    return parsed.ok() ? TimeText(*parsed) : "refused";
  };
  EXPECT_EQ(text("2026-02-28"), "2026-02-28T00:00:00.000Z");
  EXPECT_EQ(text("2026-02-28T23:59"), "2026-02-28T23:59:00.000Z");
  EXPECT_EQ(text("2026-02-28T23:59Z"), "2026-02-28T23:59:00.000Z");
  EXPECT_EQ(text("2026-02-28T23:59:58Z"), "2026-02-28T23:59:58.000Z");
  EXPECT_EQ(text("2026-02-28T23:59:58.123Z"), "2026-02-28T23:59:58.123Z");
  EXPECT_EQ(text("90m"), TimeText(now_ms - 90 * 60'000));
  EXPECT_EQ(text("2w"), TimeText(now_ms - 14 * 86'400'000LL));
  for (const char* wrong :
       {"", "m", "-5m", "1.5h", "5y", "2026-02-30", "2026-2-8", "yesterday", "99999999999w"}) {
    EXPECT_EQ(text(wrong), "refused") << wrong;
  }
}

}  // namespace
}  // namespace tintype::cli
