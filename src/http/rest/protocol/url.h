#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tintype::http::rest {

/// A request's target, taken apart.
struct Target {
  std::vector<std::string> segments;         // Of the path, decoded, without empty ones.
  std::string path;                          // As it was sent.
  std::map<std::string, std::string> query;  // Decoded, where a plus is a blank; the first of each.
  std::optional<std::string> repeated;       // A name that the query has more than once.

  std::optional<std::string> Parameter(const std::string& name) const;
};

/// The parts of a path without a query, decoded and without empty ones, as routes compare them.
/// Nothing when it cannot be decoded.
std::optional<std::vector<std::string>> ParsePath(std::string_view path);

/// Nothing when the target cannot be decoded.
std::optional<Target> ParseTarget(std::string_view target);

}  // namespace tintype::http::rest
