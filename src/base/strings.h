#pragma once

#include <algorithm>
#include <concepts>
#include <string>
#include <string_view>

namespace tintype {

namespace internal {
inline void StrAppendOne(std::string& out, std::string_view text) { out.append(text); }
inline void StrAppendOne(std::string& out, char c) { out.push_back(c); }
template <typename T>
concept WholeNumber = std::integral<T> && !std::same_as<T, char> && !std::same_as<T, bool>;
template <WholeNumber Integer>
void StrAppendOne(std::string& out, Integer number) {
  out.append(std::to_string(number));
}
}  // namespace internal

/// Appends text, characters and whole numbers to `out`.
template <typename... Parts>
void StrAppend(std::string& out, const Parts&... parts) {
  (internal::StrAppendOne(out, parts), ...);
}

/// Joins text, characters and whole numbers into one string.
template <typename... Parts>
std::string StrCat(const Parts&... parts) {
  std::string out;
  StrAppend(out, parts...);
  return out;
}

/// Of ASCII letters alone, whatever the locale.
constexpr char ToLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// Whether two texts are the same but for the case of ASCII letters.
constexpr bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, ToLower, ToLower);
}

/// `text` without the blanks around it.
constexpr std::string_view Trim(std::string_view text, std::string_view blanks = " \t") {
  const size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  const size_t end = std::max(text.find_last_not_of(blanks) + 1, begin);
  return text.substr(begin, end - begin);
}

/// Joins the elements of a range of strings with `separator` between them.
template <typename Range>
std::string StrJoin(const Range& range, std::string_view separator) {
  std::string out;
  bool first = true;
  for (const auto& part : range) {
    if (!first) {
      out.append(separator);
    }
    first = false;
    out.append(part);
  }
  return out;
}

}  // namespace tintype
