#include "http/rest/protocol/url.h"

#include <algorithm>
#include <utility>

#include "base/percent.h"

namespace tintype::http::rest {
namespace {

/// Calls `take` with each part of `text` between separators.
template <typename Take>
void ForEachPart(std::string_view text, char separator, const Take& take) {
  while (true) {
    const size_t end = std::min(text.find(separator), text.size());
    take(text.substr(0, end));
    if (end == text.size()) {
      return;
    }
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<std::string> Target::Parameter(const std::string& name) const {
  const auto found = query.find(name);
  return found == query.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::vector<std::string>> ParsePath(std::string_view path) {
  std::vector<std::string> segments;
  bool valid = true;
  ForEachPart(path, '/', [&](std::string_view part) {
    const auto decoded = PercentDecode(part);
    valid = valid && decoded;
    if (decoded && !decoded->empty()) {
      segments.push_back(*decoded);
    }
  });
  return valid ? std::optional(std::move(segments)) : std::nullopt;
}

std::optional<Target> ParseTarget(std::string_view text) {
  Target target;
  const size_t question = std::min(text.find('?'), text.size());
  target.path = text.substr(0, question);
  auto segments = ParsePath(target.path);
  bool valid = segments.has_value();
  if (valid) {
    target.segments = *std::move(segments);
  }
  if (question < text.size()) {
    ForEachPart(text.substr(question + 1), '&', [&](std::string_view part) {
      if (part.empty()) {
        return;
      }
      const size_t equals = std::min(part.find('='), part.size());
      std::string name(part.substr(0, equals));
      std::string value(part.substr(std::min(equals + 1, part.size())));
      std::ranges::replace(name, '+', ' ');
      std::ranges::replace(value, '+', ' ');
      const auto decoded_name = PercentDecode(name);
      const auto decoded_value = PercentDecode(value);
      valid = valid && decoded_name && decoded_value;
      if (decoded_name && decoded_value) {
        if (!target.query.emplace(*decoded_name, *decoded_value).second) {
          target.repeated = *decoded_name;
        }
      }
    });
  }
  return valid ? std::optional(std::move(target)) : std::nullopt;
}

}  // namespace tintype::http::rest
