#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace tintype {

/// The number that all of `text` spells, in digits of `base`, after a minus where Integer has a
/// sign. Nothing when there is anything else in it, blanks and a plus included, or when the number
/// does not fit.
template <std::integral Integer>
std::optional<Integer> ParseInteger(std::string_view text, int base = 10) {
  Integer number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number, base);
  return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

/// The same for what has no minus: digits alone.
template <std::integral Integer>
std::optional<Integer> ParseDigits(std::string_view text) {
  return text.starts_with('-') ? std::nullopt : ParseInteger<Integer>(text);
}

}  // namespace tintype
