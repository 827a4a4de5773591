#include "match.h"

#include <optional>
#include <vector>

namespace tintype::conformance {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

std::string Mismatch(const std::string& path, element expected, element actual) {
  return path + ": expected " + std::string(simdjson::minify(expected)) + ", got " +
         std::string(simdjson::minify(actual)) + "\n";
}

std::string Compare(const std::string& path, element expected, element actual, bool partial);

// The single member of an object such as {"$prefix": ...}, if it is one of ours.
std::optional<std::pair<std::string_view, element>> Matcher(const object& expected) {
  if (expected.size() != 1) {
    return std::nullopt;
  }
  const auto member = *expected.begin();
  if (!member.key.starts_with('$')) {
    return std::nullopt;
  }
  return std::pair(member.key, member.value);
}

std::string CompareUnordered(const std::string& path, element expected, element actual) {
  if (!actual.is_array()) {
    return Mismatch(path, expected, actual);
  }
  std::vector<element> left;
  const array members = actual.get_array().value();
  for (const element member : members) {
    left.push_back(member);
  }
  const array all_wanted = expected.get_array().value();
  for (const element wanted : all_wanted) {
    bool found = false;
    for (size_t i = 0; i < left.size() && !found; ++i) {
      if (Compare(path, wanted, left[i], false).empty()) {
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
        found = true;
      }
    }
    if (!found) {
      return Mismatch(path + " (in any order)", expected, actual);
    }
  }
  return left.empty() ? std::string() : Mismatch(path + " (in any order)", expected, actual);
}

std::string CompareMatcher(const std::string& path, std::string_view matcher, element operand,
                           element actual) {
  if (matcher == "$unordered") {
    return CompareUnordered(path, operand, actual);
  }
  if (matcher == "$partial") {
    return Compare(path, operand, actual, true);
  }
  if (matcher == "$prefix") {
    const bool fits =
        actual.is_string() && actual.get_string().value().starts_with(operand.get_string().value());
    return fits ? std::string() : Mismatch(path, operand, actual);
  }
  if (matcher == "$above") {
    const bool fits =
        actual.is_number() && actual.get_double().value() > operand.get_double().value();
    return fits ? std::string() : Mismatch(path, operand, actual);
  }
  return path + ": unknown matcher " + std::string(matcher) + "\n";
}

std::string CompareObjects(const std::string& path, const object& expected, element whole,
                           const object& actual, element actual_whole, bool partial) {
  std::string differences;
  for (const auto [name, value] : expected) {
    element found;
    if (actual[name].get(found) != simdjson::SUCCESS) {
      differences += path + "." + std::string(name) + ": missing\n";
      continue;
    }
    differences += Compare(path + "." + std::string(name), value, found, partial);
  }
  if (!partial && differences.empty() && expected.size() != actual.size()) {
    return Mismatch(path, whole, actual_whole);
  }
  return differences;
}

std::string Compare(const std::string& path, element expected, element actual, bool partial) {
  if (expected.is_string() && expected.get_string().value() == "$any") {
    return {};
  }
  if (expected.is_object()) {
    const object members = expected.get_object().value();
    if (const auto matcher = Matcher(members)) {
      return CompareMatcher(path, matcher->first, matcher->second, actual);
    }
    return actual.is_object() ? CompareObjects(path, members, expected, actual.get_object().value(),
                                               actual, partial)
                              : Mismatch(path, expected, actual);
  }
  if (expected.is_array()) {
    if (!actual.is_array() ||
        expected.get_array().value().size() != actual.get_array().value().size()) {
      return Mismatch(path, expected, actual);
    }
    const array wanted = expected.get_array().value();
    std::string differences;
    size_t i = 0;
    const array members = actual.get_array().value();
    for (const element member : members) {
      differences +=
          Compare(path + "[" + std::to_string(i) + "]", wanted.at(i).value(), member, partial);
      ++i;
    }
    return differences;
  }
  if (expected.is_number() && actual.is_number()) {
    return expected.get_double().value() == actual.get_double().value()
               ? std::string()
               : Mismatch(path, expected, actual);
  }
  return simdjson::minify(expected) == simdjson::minify(actual) ? std::string()
                                                                : Mismatch(path, expected, actual);
}

}  // namespace

std::string Differences(element expected, element actual, bool partial) {
  return Compare("$", expected, actual, partial);
}

}  // namespace tintype::conformance
