#include "base/time_text.h"

#include <algorithm>
#include <chrono>

#include "base/strings.h"

namespace tintype {
namespace {

constexpr int64_t kDayMs = 24 * 60 * 60 * 1000;

/// Puts `value` into the `digits` characters that begin at `at`.
void PutDigits(std::string& text, size_t at, size_t digits, int64_t value) {
  for (size_t i = digits; i > 0; --i) {
    text[at + i - 1] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
}

/// The number in the `digits` characters that begin at `at`.
/// REQUIRES: they are digits.
unsigned TakeDigits(std::string_view text, size_t at, size_t digits) {
  unsigned value = 0;
  for (const char c : text.substr(at, digits)) {
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value;
}

/// Whether there is a digit wherever the pattern has a 0, and elsewhere what the pattern has.
bool HasForm(std::string_view text, std::string_view pattern) {
  return std::ranges::equal(text, pattern, [](char c, char expected) {
    return expected == '0' ? c >= '0' && c <= '9' : c == expected;
  });
}

}  // namespace

std::string TimeText(int64_t ms) {
  using std::chrono::days;
  ms = std::clamp(ms, kTimeTextMinMs, kTimeTextMaxMs);
  // Rounded down, so that the time of day is not negative before 1970.
  const int64_t day = ms / kDayMs - (ms % kDayMs < 0 ? 1 : 0);
  const int64_t of_day = ms - day * kDayMs;
  const std::chrono::year_month_day date{std::chrono::sys_days{days{day}}};

  std::string text = "0000-00-00T00:00:00.000Z";
  PutDigits(text, 0, 4, static_cast<int>(date.year()));
  PutDigits(text, 5, 2, static_cast<unsigned>(date.month()));
  PutDigits(text, 8, 2, static_cast<unsigned>(date.day()));
  PutDigits(text, 11, 2, of_day / 3'600'000);
  PutDigits(text, 14, 2, of_day / 60'000 % 60);
  PutDigits(text, 17, 2, of_day / 1000 % 60);
  PutDigits(text, 20, 3, of_day % 1000);
  return text;
}

Result<int64_t> ParseTimeText(std::string_view text) {
  if (!HasForm(text, "0000-00-00T00:00:00.000Z")) {
    return Error::Validation("Not a time: it has to look like 2026-02-28T23:59:59.999Z");
  }
  const std::chrono::year_month_day date{
      std::chrono::year{static_cast<int>(TakeDigits(text, 0, 4))},
      std::chrono::month{TakeDigits(text, 5, 2)}, std::chrono::day{TakeDigits(text, 8, 2)}};
  const unsigned hour = TakeDigits(text, 11, 2);
  const unsigned minute = TakeDigits(text, 14, 2);
  const unsigned second = TakeDigits(text, 17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) {
    return Error::Validation(StrCat("Not a time: no calendar or clock shows ", text));
  }
  const int64_t day = std::chrono::sys_days{date}.time_since_epoch().count();
  return ((day * 24 + hour) * 60 + minute) * 60'000 + second * int64_t{1000} +
         TakeDigits(text, 20, 3);
}

}  // namespace tintype
