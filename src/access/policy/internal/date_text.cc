#include "access/policy/internal/date_text.h"

#include <algorithm>
#include <string>

#include "base/numbers.h"
#include "base/time_text.h"

namespace tintype::access::internal {
namespace {

constexpr int64_t kMinuteMs = 60'000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// The time zone at the end of `text`, in minutes east of Greenwich, and takes it off. Nothing when
/// there is none.
std::optional<int> TakeZone(std::string_view& text) {
  if (text.ends_with('Z')) {
    text.remove_suffix(1);
    return 0;
  }
  if (text.size() < 6) {
    return std::nullopt;
  }
  const std::string_view zone = text.substr(text.size() - 6);
  const std::optional<int> hours = ParseDigits<int>(zone.substr(1, 2));
  const std::optional<int> minutes = ParseDigits<int>(zone.substr(4));
  if ((zone[0] != '+' && zone[0] != '-') || zone[3] != ':' || !hours || !minutes || *hours > 23 ||
      *minutes > 59) {
    return std::nullopt;
  }
  text.remove_suffix(zone.size());
  const int offset = *hours * 60 + *minutes;
  return zone[0] == '-' ? -offset : offset;
}

std::optional<int64_t> ParseSeconds(std::string_view text) {
  constexpr size_t kYearDigits = 4;
  const std::optional<int64_t> seconds = ParseInteger<int64_t>(text);
  if (!seconds || text.size() == kYearDigits || *seconds < kTimeTextMinMs / 1000 ||
      *seconds > kTimeTextMaxMs / 1000) {
    return std::nullopt;
  }
  return *seconds * 1000;
}

}  // namespace

std::optional<int64_t> ParseDateText(std::string_view text) {
  if (text.find('-', 1) == std::string_view::npos) {
    return ParseSeconds(text);
  }
  // Brought into the one form that base/time_text.h reads.
  std::string full;
  int zone = 0;
  const size_t t = text.find('T');
  if (t == std::string_view::npos) {
    full = text;
    full += full.size() == 7 ? "-01T00:00:00.000Z" : "T00:00:00.000Z";
  } else {
    std::string_view rest = text;
    const std::optional<int> offset = TakeZone(rest);
    if (!offset) {
      return std::nullopt;
    }
    zone = *offset;
    const size_t dot = rest.find('.');
    full = rest.substr(0, dot);
    if (dot == std::string_view::npos) {
      full += full.size() == 16 ? ":00.000Z" : ".000Z";
    } else {
      const std::string_view fraction = rest.substr(dot + 1);
      if (fraction.empty() || !std::ranges::all_of(fraction, IsDigit)) {
        return std::nullopt;
      }
      std::string milliseconds(fraction.substr(0, 3));
      milliseconds.resize(3, '0');
      full += "." + milliseconds + "Z";
    }
  }
  const Result<int64_t> ms = ParseTimeText(full);
  return ms.ok() ? std::optional(*ms - zone * kMinuteMs) : std::nullopt;
}

}  // namespace tintype::access::internal
