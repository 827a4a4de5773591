#include "http/rest/ranges.h"

#include <algorithm>
#include <charconv>

namespace tintype::http::rest {
namespace {

std::optional<uint64_t> WholeNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty()
             ? std::optional(number)
             : std::nullopt;
}

}  // namespace

RangeDecision DecideRange(std::string_view header, uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  const RangeDecision whole;
  if (!header.starts_with(kUnit) || header.find(',') != std::string_view::npos) {
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
