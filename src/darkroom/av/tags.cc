#include "darkroom/av/tags.h"

#include <algorithm>
#include <cmath>

#include "base/strings.h"

namespace tintype::darkroom::av {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Reads a text from its beginning to its end.
class TagReader {
 public:
  explicit TagReader(std::string_view text) : rest_(text) {}

  /// A number of exactly so many digits.
  std::optional<int> Digits(size_t count) {
    const std::string_view digits = rest_.substr(0, count);
    if (digits.size() < count || !std::ranges::all_of(digits, IsDigit)) {
      return std::nullopt;
    }
    int number = 0;
    for (const char digit : digits) {
      number = 10 * number + (digit - '0');
    }
    rest_.remove_prefix(count);
    return number;
  }

  /// A number of two digits up to `max`, after `separator` if there has to be one.
  std::optional<int> Pair(std::string_view separators, int max) {
    if (!separators.empty() && !Skip(separators)) {
      return std::nullopt;
    }
    const auto number = Digits(2);
    return number && *number <= max ? number : std::nullopt;
  }

  /// One of these characters.
  bool Skip(std::string_view any) {
    if (rest_.empty() || any.find(rest_.front()) == std::string_view::npos) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view TakeWhile(bool (*test)(char)) {
    const auto end = std::ranges::find_if_not(rest_, test);
    const std::string_view taken =
        rest_.substr(0, static_cast<size_t>(std::distance(rest_.begin(), end)));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  char Front() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool AtEnd() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

std::string TwoDigits(int number) { return StrCat(number < 10 ? "0" : "", number); }

// "Z", "+02:00", "+0200" or nothing, as "Z", "+02:00" or nothing. Nullopt for anything else.
std::optional<std::string> OffsetOf(TagReader& reader) {
  if (reader.AtEnd()) {
    return "";
  }
  const char sign = reader.Front();
  if (reader.Skip("Z")) {
    return reader.AtEnd() ? std::optional<std::string>("Z") : std::nullopt;
  }
  if (!reader.Skip("+-")) {
    return std::nullopt;
  }
  constexpr int kHoursMax = 14;
  const auto hours = reader.Pair("", kHoursMax);
  reader.Skip(":");
  const auto minutes = reader.Pair("", 59);
  if (!hours || !minutes || !reader.AtEnd()) {
    return std::nullopt;
  }
  return StrCat(sign, TwoDigits(*hours), ":", TwoDigits(*minutes));
}

// One of the numbers of ISO 6709: `digits` of its whole part are degrees, and behind them there may
// be minutes and seconds.
std::optional<double> Angle(TagReader& reader, size_t digits) {
  const bool negative = reader.Front() == '-';
  if (!reader.Skip("+-")) {
    return std::nullopt;
  }
  constexpr size_t kDecimalsMax = 12;
  const std::string_view whole = reader.TakeWhile(IsDigit);
  const std::string_view decimals =
      reader.Skip(".") ? reader.TakeWhile(IsDigit).substr(0, kDecimalsMax) : "";
  TagReader parts(whole);
  double angle = 0;
  double unit = 1;
  if (whole.size() != digits && whole.size() != digits + 2 && whole.size() != digits + 4) {
    return std::nullopt;
  }
  angle = *parts.Digits(digits);
  while (!parts.AtEnd()) {
    unit /= 60;
    const int part = *parts.Digits(2);
    if (part > 59) {
      return std::nullopt;
    }
    angle += part * unit;
  }
  for (const char digit : decimals) {
    unit /= 10;
    angle += (digit - '0') * unit;
  }
  return negative ? -angle : angle;
}

std::optional<double> Altitude(TagReader& reader) {
  constexpr size_t kDigitsMax = 6;
  const bool negative = reader.Front() == '-';
  if (!reader.Skip("+-")) {
    return std::nullopt;
  }
  const std::string_view whole = reader.TakeWhile(IsDigit);
  if (whole.empty() || whole.size() > kDigitsMax) {
    return std::nullopt;
  }
  double metres = *TagReader(whole).Digits(whole.size());
  if (reader.Skip(".")) {
    double unit = 1;
    for (const char digit : reader.TakeWhile(IsDigit)) {
      unit /= 10;
      metres += (digit - '0') * unit;
    }
  }
  return metres > kAltitudeMax ? std::nullopt : std::optional(negative ? -metres : metres);
}

}  // namespace

std::string TimeFromTag(std::string_view text) {
  // Earlier ones are the beginning of some clock: 1904 in QuickTime, 1970 in Unix.
  constexpr int kYearMin = 1980;
  constexpr int kYearMax = 2199;
  TagReader reader(Trim(text));
  const auto year = reader.Digits(4);
  const auto month = reader.Pair("-", 12);
  const auto day = reader.Pair("-", 31);
  const auto hour = reader.Pair("T ", 23);
  const auto minute = reader.Pair(":", 59);
  const auto second = reader.Pair(":", 59);
  if (!year || !month || !day || !hour || !minute || !second) {
    return "";
  }
  if (reader.Skip(".")) {
    reader.TakeWhile(IsDigit);
  }
  const auto offset = OffsetOf(reader);
  if (!offset || *year < kYearMin || *year > kYearMax || *month == 0 || *day == 0) {
    return "";
  }
  return StrCat(*year, "-", TwoDigits(*month), "-", TwoDigits(*day), "T", TwoDigits(*hour), ":",
                TwoDigits(*minute), ":", TwoDigits(*second), *offset);
}

std::optional<GpsPosition> PlaceFromTag(std::string_view text) {
  TagReader reader(Trim(text));
  const auto latitude = Angle(reader, 2);
  const auto longitude = latitude ? Angle(reader, 3) : std::nullopt;
  if (!longitude || std::abs(*latitude) > 90 || std::abs(*longitude) > 180) {
    return std::nullopt;
  }
  // The middle of nowhere is what a phone without a position writes.
  if (*latitude == 0 && *longitude == 0) {
    return std::nullopt;
  }
  return GpsPosition{*latitude, *longitude, Altitude(reader)};
}

std::string LanguageFromTag(std::string_view text) {
  const bool letters = std::ranges::all_of(
      text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  if (!letters || text.size() < 2 || text.size() > 3 || text == "und") {
    return "";
  }
  std::string language(text);
  std::ranges::transform(language, language.begin(), ToLower);
  return language;
}

}  // namespace tintype::darkroom::av
