#include "cli/audit/moment.h"

#include <optional>
#include <string>

#include "base/numbers.h"
#include "base/strings.h"
#include "base/time_text.h"

namespace tintype::cli {
namespace {

int64_t UnitMs(char unit) {
  constexpr int64_t kSecondMs = 1000;
  constexpr int64_t kHourMs = 3600 * kSecondMs;
  switch (unit) {
    case 's':
      return kSecondMs;
    case 'm':
      return 60 * kSecondMs;
    case 'h':
      return kHourMs;
    case 'd':
      return 24 * kHourMs;
    case 'w':
      return 7 * 24 * kHourMs;
    default:
      return 0;
  }
}

}  // namespace

Result<int64_t> ParseMoment(std::string_view text, int64_t now_ms) {
  constexpr int64_t kAgoMax = 1'000'000;
  if (!text.empty() && UnitMs(text.back()) != 0) {
    const std::optional<int64_t> number = ParseDigits<int64_t>(text.substr(0, text.size() - 1));
    if (number && *number <= kAgoMax) {
      return now_ms - *number * UnitMs(text.back());
    }
  }
  // The parts left out stand for the beginning of the day, the minute or the second.
  constexpr std::string_view kRest = "0000-00-00T00:00:00.000Z";
  constexpr size_t kDay = 10;
  constexpr size_t kMinute = 16;
  constexpr size_t kSecond = 19;
  const std::string_view bare = text.ends_with('Z') ? text.substr(0, text.size() - 1) : text;
  std::string whole(text);
  if (bare.size() == kDay || bare.size() == kMinute || bare.size() == kSecond) {
    whole = StrCat(bare, kRest.substr(bare.size()));
  }
  const Result<int64_t> parsed = ParseTimeText(whole);
  if (!parsed.ok()) {
    return Error::Validation(StrCat("'", text,
                                    "' is no time: give one such as 2026-02-28, "
                                    "2026-02-28T23:59:59Z, or 90m for ninety minutes ago."));
  }
  return *parsed;
}

}  // namespace tintype::cli
