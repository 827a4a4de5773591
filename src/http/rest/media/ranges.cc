#include "http/rest/media/ranges.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/strings.h"

namespace tintype::http::rest {
namespace {

/// Digits alone. A number that is too large for us is larger than anything we have.
std::optional<uint64_t> WholeNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  if (error == std::errc::result_out_of_range) {
    return std::numeric_limits<uint64_t>::max();
  }
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace

RangeDecision DecideRange(std::string_view header, uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  const RangeDecision whole;
  if (header.size() < kUnit.size() || !EqualsIgnoreCase(header.substr(0, kUnit.size()), kUnit) ||
      header.find(',') != std::string_view::npos) {
    return whole;
  }
  header.remove_prefix(kUnit.size());
  const size_t hyphen = header.find('-');
  if (hyphen == std::string_view::npos) {
    return whole;
  }
  const std::string_view first = header.substr(0, hyphen);
  const std::string_view last = header.substr(hyphen + 1);
  const RangeDecision unsatisfiable{RangeDecision::Kind::kUnsatisfiable, {}};
  if (first.empty()) {
    const std::optional<uint64_t> suffix = WholeNumber(last);
    if (!suffix) {
      return whole;
    }
    if (*suffix == 0 || size == 0) {
      return unsatisfiable;
    }
    const uint64_t length = std::min(*suffix, size);
    return {RangeDecision::Kind::kPart, {size - length, length}};
  }
  const std::optional<uint64_t> start = WholeNumber(first);
  const std::optional<uint64_t> end = last.empty() ? size : WholeNumber(last);
  if (!start || !end || (!last.empty() && *end < *start)) {
    return whole;
  }
  if (*start >= size) {
    return unsatisfiable;
  }
  // Here the start is before the end.
  const uint64_t final = last.empty() ? size - 1 : std::min(*end, size - 1);
  return {RangeDecision::Kind::kPart, {*start, final - *start + 1}};
}

}  // namespace tintype::http::rest
