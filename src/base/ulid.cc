#include "base/ulid.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace tintype {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr int64_t kTimeMsMax = (int64_t{1} << 48) - 1;
constexpr size_t kTimeDigits = 10;

/// The digit's value, or -1. The specification leaves no room for Crockford's substitutes, such as
/// O for 0.
int DigitValue(char c) {
  const size_t at = kDigits.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

char ToUpper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; }

/// Adds one. False when that overflowed.
bool Increment(std::array<uint8_t, 10>& number) {
  for (auto byte = number.rbegin(); byte != number.rend(); ++byte) {
    *byte = static_cast<uint8_t>(*byte + 1);
    if (*byte != 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool IsUlid(std::string_view text) {
  // 26 digits hold 130 bits. A first digit above 7 would need more than the 128 there are.
  return text.size() == kUlidLength && text[0] <= '7' &&
         std::ranges::all_of(text, [](char c) { return DigitValue(c) >= 0; });
}

Result<std::string> ParseUlid(std::string_view text) {
  std::string spelled(text.substr(0, kUlidLength + 1));
  std::ranges::transform(spelled, spelled.begin(), ToUpper);
  if (!IsUlid(spelled)) {
    return Error::Validation("Not a ULID: it has 26 characters, digits and letters but I, L, O, U");
  }
  return spelled;
}

Result<int64_t> UlidTimeMs(std::string_view text) {
  ASSIGN_OR_RETURN(const std::string ulid, ParseUlid(text));
  int64_t time_ms = 0;
  for (const char c : std::string_view(ulid).substr(0, kTimeDigits)) {
    time_ms = time_ms * 32 + DigitValue(c);
  }
  return time_ms;
}

UlidGenerator::UlidGenerator(const Clock& clock, RandomSource random)
    : clock_(clock), random_(std::move(random)) {}

Result<std::string> UlidGenerator::Next() {
  const int64_t now_ms = clock_.NowMs();
  if (now_ms < 0 || now_ms > kTimeMsMax) {
    return Error(ErrorKind::kUnavailable, "The clock shows a time that an id cannot hold");
  }
  MutexLock lock(mutex_);
  Value next = last_;
  if (now_ms > last_.time_ms) {
    next.time_ms = now_ms;
    const std::string random = random_(next.random.size());
    CHECK(random.size() == next.random.size());
    std::ranges::transform(random, next.random.begin(),
                           [](char c) { return static_cast<uint8_t>(c); });
  } else if (!Increment(next.random)) {
    // The specification wants this to fail rather than to wrap around or to borrow from the time.
    return Error(ErrorKind::kUnavailable, "No more ids in this millisecond; try again");
  }
  last_ = next;
  return Text(next);
}

std::string UlidGenerator::Text(const Value& value) {
  std::string text(kUlidLength, '0');
  int64_t time_ms = value.time_ms;
  for (size_t i = kTimeDigits; i > 0; --i) {
    text[i - 1] = kDigits[static_cast<size_t>(time_ms % 32)];
    time_ms /= 32;
  }
  // 80 bits are 16 digits of five bits: five bytes make eight digits.
  for (size_t half = 0; half < 2; ++half) {
    uint64_t bits = 0;
    for (size_t i = 0; i < 5; ++i) {
      bits = bits << 8 | value.random[half * 5 + i];
    }
    for (size_t i = 8; i > 0; --i) {
      text[kTimeDigits + half * 8 + i - 1] = kDigits[bits % 32];
      bits /= 32;
    }
  }
  return text;
}

}  // namespace tintype
