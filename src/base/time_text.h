#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

/// Times as text: ISO 8601 in UTC with milliseconds, "2026-02-28T23:59:59.999Z", and nothing else.
/// All texts are 24 bytes long, so they sort as the times do. Nothing here asks for the time zone
/// or the locale.
namespace tintype {

/// The first and the last moment that four digits of a year can tell.
inline constexpr int64_t kTimeTextMinMs = -62'167'219'200'000;  // 0000-01-01T00:00:00.000Z
inline constexpr int64_t kTimeTextMaxMs = 253'402'300'799'999;  // 9999-12-31T23:59:59.999Z

/// The text of a time in milliseconds since the Unix epoch. Times before the first or after the
/// last moment above get the text of that moment, so that a number that somebody else wrote into a
/// table never yields a text that cannot be read back.
std::string TimeText(int64_t ms);

/// The milliseconds since the Unix epoch of such a text. Strict: exactly this form, a day that the
/// calendar has, hours to 23, minutes and seconds to 59. Errors: kValidation.
Result<int64_t> ParseTimeText(std::string_view text);

}  // namespace tintype
