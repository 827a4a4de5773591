// Numbers: text to number to stored form and back, order, and sums, against plain fixed-point
// arithmetic and the C library's reading of the text. Input: two lines with a number each.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/check.h"
#include "input.h"
#include "tables/language/values/number.h"
#include "tables/language/values/value.h"

namespace tintype::tables {
namespace {

// A decimal with a fixed point and room for every sum of two numbers, as simple as can be.
class FixedPoint {
 public:
  // `text` is plain notation, as Number::ToString writes it.
  explicit FixedPoint(std::string_view text) {
    const bool negative = text.starts_with('-');
    const std::string_view digits = text.substr(negative ? 1 : 0);
    const size_t point = std::min(digits.find('.'), digits.size());
    for (size_t i = 0; i < digits.size(); ++i) {
      if (i == point) {
        continue;
      }
      const size_t place = kPoint - point + i - (i > point ? 1 : 0);
      CHECK(place < kPlaces && digits[i] >= '0' && digits[i] <= '9');
      places_[place] = (negative ? -1 : 1) * (digits[i] - '0');
    }
  }

  // Place by place, then carried so that all places have the sign of the whole.
  FixedPoint Plus(const FixedPoint& other, int sign) const {
    FixedPoint sum = *this;
    for (size_t i = 0; i < kPlaces; ++i) {
      sum.places_[i] += sign * other.places_[i];
    }
    sum.Carry(1);
    if (sum.places_[0] < 0) {
      sum.Carry(-1);
    }
    return sum;
  }

  int Compare(const FixedPoint& other) const {
    const FixedPoint difference = Plus(other, -1);
    const auto place = std::ranges::find_if(difference.places_, [](int d) { return d != 0; });
    return place == difference.places_.end() ? 0 : *place;
  }

  std::string ToString() const {
    if (SignificantDigits() == 0) {
      return "0";
    }
    const size_t from = std::min(First(), kPoint - 1);
    const size_t to = std::max(Last(), kPoint - 1);
    std::string text = places_[First()] < 0 ? "-" : "";
    for (size_t i = from; i <= to; ++i) {
      text += i == kPoint ? "." : "";
      text += static_cast<char>('0' + std::abs(places_[i]));
    }
    return text;
  }

  size_t SignificantDigits() const { return First() == kPlaces ? 0 : Last() - First() + 1; }
  bool TooLarge() const { return First() < kPoint - 126; }
  bool TooSmall() const { return First() != kPlaces && First() >= kPoint + 130; }

 private:
  static constexpr size_t kPoint = 130;  // The place of the first digit after the point.
  static constexpr size_t kPlaces = kPoint + 130 + 40;

  void Carry(int sign) {
    for (size_t i = kPlaces - 1; i > 0; --i) {
      const int value = sign * places_[i];
      const int carry = value < 0 ? -((9 - value) / 10) : value / 10;
      places_[i] = sign * (value - 10 * carry);
      places_[i - 1] += sign * carry;
    }
  }
  size_t First() const {
    return static_cast<size_t>(std::ranges::find_if(places_, [](int d) { return d != 0; }) -
                               places_.begin());
  }
  size_t Last() const {
    size_t last = kPlaces;
    while (last > 0 && places_[last - 1] == 0) {
      --last;
    }
    return last - 1;
  }

  std::array<int, kPlaces> places_{};
};

// What the C library makes of the text, for which it has the same grammar once letters and blanks
// are out of the way.
bool ReadsAsNumber(const std::string& text, long double& value) {
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) {
    return false;
  }
  char* end = nullptr;
  value = std::strtold(text.c_str(), &end);
  return *end == '\0';
}

Result<Number> CheckText(const std::string& text) {
  Result<Number> number = Number::Parse(text);
  long double approximate = 0;
  const bool reads = ReadsAsNumber(text, approximate);
  if (!number.ok()) {
    CHECK(number.error().kind() == ErrorKind::kValidation);
    const bool syntax = number.error().message().starts_with("The parameter cannot");
    CHECK(syntax == !reads);
    if (number.error().message().starts_with("Number overflow")) {
      CHECK(std::fabs(approximate) > 0.99e126L);
    }
    if (number.error().message().starts_with("Number underflow")) {
      CHECK(std::fabs(approximate) < 1.01e-130L);
    }
    return number;
  }
  CHECK(reads);
  const std::string plain = number->ToString();
  CHECK(plain.size() <= Number::kTextBytes);
  CHECK(std::fabs(std::strtold(plain.c_str(), nullptr) - approximate) <=
        1e-17L * std::fabs(approximate));
  CHECK(FixedPoint(plain).ToString() == plain);
  const Result<Number> again = Number::Parse(plain);
  CHECK(again.ok() && *again == *number && again->ToString() == plain);

  const std::string stored = number->ToStored();
  CHECK(Number::FromStored(stored) == *number);
  CHECK(Number::FromStored(stored).ToStored() == stored);
  const Item item = Item::Of({{"n", Value::OfNumber(*number)}});
  CHECK(CheckEncodedItem(item.payload()).ok());
  CHECK(ItemSizeBytes(item.view()) == 1 + number->SizeBytes());
  return number;
}

void CheckSum(const Result<Number>& sum, const FixedPoint& exact) {
  if (!sum.ok()) {
    CHECK(sum.error().kind() == ErrorKind::kValidation);
    CHECK(exact.SignificantDigits() > Number::kMaxDigits || exact.TooLarge() || exact.TooSmall());
    return;
  }
  CHECK(sum->ToString() == exact.ToString());
  CHECK(Number::Parse(exact.ToString()).value() == *sum);
}

void CheckPair(const Number& a, const Number& b) {
  const FixedPoint exact_a(a.ToString());
  const FixedPoint exact_b(b.ToString());
  const int order = exact_a.Compare(exact_b);
  CHECK((a <=> b) == (order <=> 0));
  CHECK((b <=> a) == (0 <=> order));
  CHECK((a == b) == (order == 0));
  // The stored forms sort as the numbers do, and none is the start of another.
  const std::string stored_a = a.ToStored();
  const std::string stored_b = b.ToStored();
  CHECK((stored_a.compare(stored_b) <=> 0) == (order <=> 0));
  CHECK(order == 0 || (!stored_a.starts_with(stored_b) && !stored_b.starts_with(stored_a)));

  const Result<Number> sum = Number::Add(a, b);
  CheckSum(sum, exact_a.Plus(exact_b, 1));
  const Result<Number> turned = Number::Add(b, a);
  CHECK(sum.ok() == turned.ok() && (!sum.ok() || *sum == *turned));
  const Result<Number> difference = Number::Subtract(a, b);
  CheckSum(difference, exact_a.Plus(exact_b, -1));
  if (sum.ok()) {
    const Result<Number> back = Number::Subtract(*sum, b);
    CHECK(back.ok() && *back == a);
  }
}

}  // namespace
}  // namespace tintype::tables

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tintype::fuzz::Input input(data, size);
  const auto a = tintype::tables::CheckText(std::string(input.Line()));
  const auto b = tintype::tables::CheckText(std::string(input.Line()));
  if (a.ok() && b.ok()) {
    tintype::tables::CheckPair(*a, *b);
  }
  return 0;
}
