#include "tables/language/values/number.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>

#include "base/strings.h"
#include "tables/language/faults.h"

namespace tintype::tables {
namespace {

// Bounds of exponent_: 9.99...E+125 is 0.999...E+126, 1E-130 is 0.1E-129.
constexpr int kMaxExponent = 126;
constexpr int kMinExponent = -129;

// First byte of the stored form; docs/formats/values.md.
constexpr char kNegativeTag = 0x00;
constexpr char kZeroTag = 0x01;
constexpr char kPositiveTag = 0x02;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

Error Invalid(std::string message) { return {reasons::kInvalidNumber, std::move(message)}; }

Error Overflow() {
  return Invalid(
      "Number overflow. Attempting to store a number with magnitude larger than supported range");
}

Error TooManyDigits() {
  return Invalid("Attempting to store more than 38 significant digits in a Number");
}

Error NotANumber(std::string_view text) {
  if (text.empty()) {
    return Invalid("The parameter cannot be converted to a numeric value");
  }
  return Invalid(StrCat("The parameter cannot be converted to a numeric value: ", text));
}

// Reads the digits after `e`, sign included. Saturates, so that a thousand digits are just "large".
std::optional<int> ParseExponent(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.empty() || !std::all_of(text.begin(), text.end(), IsDigit)) {
    return std::nullopt;
  }
  constexpr int kSaturated = 1'000'000;
  int value = 0;
  for (const char c : text) {
    value = std::min(kSaturated, value * 10 + (c - '0'));
  }
  return negative ? -value : value;
}

}  // namespace

Number::Number(int64_t value) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  *this = Parse({text, static_cast<size_t>(end - text)}).value();
}

Result<Number> Number::FromDigits(bool negative, const uint8_t* digits, int count, int exponent) {
  while (count > 0 && *digits == 0) {
    ++digits;
    --count;
    --exponent;
  }
  while (count > 0 && digits[count - 1] == 0) {
    --count;
  }
  if (count == 0) {
    return Number();
  }
  if (exponent > kMaxExponent) {
    return Overflow();
  }
  if (exponent < kMinExponent) {
    return Invalid(
        "Number underflow. Attempting to store a number with magnitude smaller than supported "
        "range");
  }
  if (count > kMaxDigits) {
    return TooManyDigits();
  }
  Number number;
  number.negative_ = negative;
  number.exponent_ = static_cast<int16_t>(exponent);
  number.digit_count_ = static_cast<uint8_t>(count);
  std::copy_n(digits, count, number.digits_.begin());
  return number;
}

Result<Number> Number::Parse(std::string_view text) {
  const std::string_view whole = text;
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  int exponent = 0;
  const auto is_e = [](char c) { return c == 'e' || c == 'E'; };
  if (const auto e = static_cast<size_t>(std::ranges::find_if(text, is_e) - text.begin());
      e != text.size()) {
    const std::optional<int> parsed = ParseExponent(text.substr(e + 1));
    if (!parsed) {
      return NotANumber(whole);
    }
    exponent = *parsed;
    text = text.substr(0, e);
  }
  // Leading and trailing zeros do not count, so the digits worth keeping are collected on the way.
  // One more than allowed is enough to know that there are too many.
  std::array<uint8_t, kMaxDigits + 1> digits;
  int count = 0;
  int pending_zeros = 0;
  bool seen_digit = false;
  bool seen_point = false;
  bool too_many = false;
  for (const char c : text) {
    if (c == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    if (!IsDigit(c)) {
      return NotANumber(whole);
    }
    seen_digit = true;
    const bool leading_zero = c == '0' && count == 0;
    if (!seen_point && !leading_zero) {
      ++exponent;
    } else if (seen_point && leading_zero) {
      --exponent;
    }
    if (leading_zero) {
      continue;
    }
    if (c == '0') {
      ++pending_zeros;
      continue;
    }
    if (count + pending_zeros >= kMaxDigits) {
      too_many = true;
      continue;
    }
    for (; pending_zeros > 0; --pending_zeros) {
      digits[static_cast<size_t>(count++)] = 0;
    }
    digits[static_cast<size_t>(count++)] = static_cast<uint8_t>(c - '0');
  }
  if (!seen_digit) {
    return NotANumber(whole);
  }
  ASSIGN_OR_RETURN(Number number, FromDigits(negative, digits.data(), count, exponent));
  if (too_many) {
    return TooManyDigits();
  }
  return number;
}

Number Number::FromStored(std::string_view stored) {
  CHECK(!stored.empty());
  Number number;
  if (stored[0] == kZeroTag) {
    return number;
  }
  number.negative_ = stored[0] == kNegativeTag;
  // Negative numbers are stored inverted, so that larger magnitudes sort first.
  const unsigned invert = number.negative_ ? 0xFF : 0;
  const auto byte_at = [&](size_t i) { return static_cast<uint8_t>(stored[i]) ^ invert; };
  number.exponent_ = static_cast<int16_t>(static_cast<int>(byte_at(1)) + kMinExponent);
  int count = 0;
  for (size_t i = 2; i + 1 < stored.size(); ++i) {
    const unsigned pair = byte_at(i) - 1;
    CHECK(pair < 100 && count + 2 <= kMaxDigits);
    number.digits_[static_cast<size_t>(count++)] = static_cast<uint8_t>(pair / 10);
    number.digits_[static_cast<size_t>(count++)] = static_cast<uint8_t>(pair % 10);
  }
  if (count > 0 && number.digits_[static_cast<size_t>(count) - 1] == 0) {
    --count;
  }
  number.digit_count_ = static_cast<uint8_t>(count);
  return number;
}

void Number::AppendStored(std::string& out) const {
  if (is_zero()) {
    out.push_back(kZeroTag);
    return;
  }
  const unsigned invert = negative_ ? 0xFF : 0;
  const auto put = [&](unsigned byte) { out.push_back(static_cast<char>(byte ^ invert)); };
  out.push_back(negative_ ? kNegativeTag : kPositiveTag);
  put(static_cast<unsigned>(exponent_ - kMinExponent));
  for (size_t i = 0; i < digit_count_; i += 2) {
    const unsigned low = i + 1 < digit_count_ ? digits_[i + 1] : 0;
    put(digits_[i] * 10U + low + 1);
  }
  put(0);
}

std::string Number::ToStored() const {
  std::string out;
  AppendStored(out);
  return out;
}

size_t Number::FormatStored(std::string_view stored, char* text) {
  char* out = text;
  if (stored.front() == kZeroTag) {
    *out = '0';
    return 1;
  }
  const bool negative = stored.front() == kNegativeTag;
  const unsigned invert = negative ? 0xFF : 0;
  const auto byte_at = [&](size_t i) { return static_cast<uint8_t>(stored[i]) ^ invert; };
  if (negative) {
    *out++ = '-';
  }
  const int exponent = static_cast<int>(byte_at(1)) + kMinExponent;
  if (exponent <= 0) {
    *out++ = '0';
    *out++ = '.';
    out = std::fill_n(out, -exponent, '0');
  }
  int place = 0;  // How many digits are written.
  const auto put = [&](unsigned digit) {
    if (place == exponent && place > 0) {
      *out++ = '.';
    }
    *out++ = static_cast<char>('0' + digit);
    ++place;
  };
  const size_t end = stored.size() - 1;
  for (size_t i = 2; i < end; ++i) {
    const unsigned pair = byte_at(i) - 1;
    put(pair / 10);
    // A zero at the very end only fills up the last byte.
    if (pair % 10 != 0 || i + 1 < end) {
      put(pair % 10);
    }
  }
  out = std::fill_n(out, std::max(0, exponent - place), '0');
  return static_cast<size_t>(out - text);
}

std::string Number::ToString() const {
  char text[kTextBytes];
  return {text, FormatStored(ToStored(), text)};
}

std::strong_ordering Number::CompareMagnitude(const Number& other) const {
  if (is_zero() || other.is_zero()) {
    return !is_zero() <=> !other.is_zero();
  }
  if (exponent_ != other.exponent_) {
    return exponent_ <=> other.exponent_;
  }
  // Unused digits are zero, so the whole arrays compare as the numbers do.
  return std::memcmp(digits_.data(), other.digits_.data(), kMaxDigits) <=> 0;
}

std::strong_ordering Number::operator<=>(const Number& other) const {
  if (negative_ != other.negative_) {
    return other.negative_ <=> negative_;
  }
  return negative_ ? other.CompareMagnitude(*this) : CompareMagnitude(other);
}

Result<Number> Number::Add(const Number& a, const Number& b) {
  if (a.is_zero()) {
    return b;
  }
  if (b.is_zero()) {
    return a;
  }
  const bool same_sign = a.negative_ == b.negative_;
  const bool a_larger = a.CompareMagnitude(b) >= 0;
  const Number& large = a_larger ? a : b;
  const Number& small = a_larger ? b : a;
  // Both laid out over the same decimal places, with one place in front for the carry.
  constexpr size_t kPlaces = kMaxExponent - kMinExponent + kMaxDigits + 2;
  std::array<uint8_t, kPlaces> places{};
  const int top = large.exponent_ + 1;
  const int bottom =
      std::min(large.exponent_ - large.digit_count_, small.exponent_ - small.digit_count_);
  const int count = top - bottom;
  std::copy_n(large.digits_.begin(), large.digit_count_, places.begin() + 1);
  const int offset = top - small.exponent_;
  int carry = 0;
  for (int i = count - 1; i >= 0; --i) {
    const int j = i - offset;
    const int other = j >= 0 && j < small.digit_count_ ? small.digits_[static_cast<size_t>(j)] : 0;
    uint8_t& place = places[static_cast<size_t>(i)];
    int sum = same_sign ? place + other + carry : place - other - carry;
    carry = 0;
    if (sum > 9) {
      sum -= 10;
      carry = 1;
    } else if (sum < 0) {
      sum += 10;
      carry = 1;
    }
    place = static_cast<uint8_t>(sum);
  }
  // DynamoDB calls it an overflow when a sum cannot be told in 38 digits.
  const auto digits = std::span(places).first(static_cast<size_t>(count));
  const auto is_digit = [](uint8_t place) { return place != 0; };
  const auto first = std::ranges::find_if(digits, is_digit);
  const auto last = std::find_if(digits.rbegin(), digits.rend(), is_digit).base();
  if (last - first > kMaxDigits) {
    return Overflow();
  }
  return FromDigits(large.negative_, places.data(), count, top);
}

Result<Number> Number::Subtract(const Number& a, const Number& b) {
  Number negated = b;
  negated.negative_ = !b.is_zero() && !b.negative_;
  return Add(a, negated);
}

size_t Number::SizeBytes() const {
  if (is_zero()) {
    return 1;
  }
  return 1 + (static_cast<size_t>(digit_count_) + 1) / 2 + (negative_ ? 1 : 0);
}

}  // namespace tintype::tables
