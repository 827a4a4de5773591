#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::tables {

/// A DynamoDB number: zero, or up to 38 significant decimal digits with a magnitude from 1E-130 to
/// 9.99...E+125. Always normalised, so equal numbers are equal bytes. A plain value; thread-safe as
/// an int is.
///
/// The stored form sorts bytewise in numeric order and ends where it says it ends, so that it
/// serves as a key component too (docs/formats/values.md).
class Number {
 public:
  static constexpr int kMaxDigits = 38;

  /// Zero.
  Number() = default;
  explicit Number(int64_t value);

  /// Reads `12`, `-0.5`, `.5`, `+3`, `1e3`. Anything else, too many digits, or a magnitude out of
  /// range is a ValidationException with DynamoDB's words.
  static Result<Number> Parse(std::string_view text);

  /// REQUIRES: `stored` was written by AppendStored.
  static Number FromStored(std::string_view stored);
  void AppendStored(std::string& out) const;
  std::string ToStored() const;

  /// Plain decimal notation without exponent, as DynamoDB answers: `1000`, `0.5`, `0`.
  std::string ToString() const;
  /// The same from the stored form, without making a Number of it: answers are full of these.
  /// Writes at most kTextBytes and returns how many.
  static constexpr size_t kTextBytes = 1 + 2 + 130 + kMaxDigits;
  static size_t FormatStored(std::string_view stored, char* text);

  /// Fail as DynamoDB does when the exact result needs more than 38 digits or leaves the range.
  static Result<Number> Add(const Number& a, const Number& b);
  static Result<Number> Subtract(const Number& a, const Number& b);

  bool is_zero() const { return digit_count_ == 0; }
  /// How many bytes DynamoDB counts for it: documented as about one byte per two significant
  /// digits and one more.
  size_t SizeBytes() const;

  std::strong_ordering operator<=>(const Number& other) const;
  bool operator==(const Number& other) const { return (*this <=> other) == 0; }

 private:
  static Result<Number> FromDigits(bool negative, const uint8_t* digits, int count, int exponent);
  std::strong_ordering CompareMagnitude(const Number& other) const;

  // The value is 0.d1d2d3... * 10^exponent_, d1 and the last digit never zero.
  bool negative_ = false;
  int16_t exponent_ = 0;
  uint8_t digit_count_ = 0;
  std::array<uint8_t, kMaxDigits> digits_{};
};

}  // namespace tintype::tables
