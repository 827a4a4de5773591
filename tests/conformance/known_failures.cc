#include "known_failures.h"

#include <fstream>
#include <stdexcept>

#include "base/strings.h"

namespace tintype::conformance {

KnownFailures KnownFailures::Load(const std::string& path) {
  KnownFailures failures;
  if (path.empty()) {
    return failures;
  }
  std::ifstream in(path);
  if (!in) {
    throw std::runtime_error(path + " cannot be read");
  }
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    const size_t colon = line.find(": ");
    const size_t bar = line.find(" | ");
    if (colon == std::string::npos || bar == std::string::npos || bar < colon ||
        bar + 3 == line.size()) {
      throw std::runtime_error(StrCat(path, ":", number, ": expected `file: case | reason`"));
    }
    const std::string name = line.substr(colon + 2, bar - colon - 2);
    if (!failures.reasons_[line.substr(0, colon)].emplace(name, line.substr(bar + 3)).second) {
      throw std::runtime_error(StrCat(path, ":", number, ": listed twice: ", name));
    }
  }
  return failures;
}

std::optional<std::string> KnownFailures::Find(const std::string& file,
                                               std::string_view name) const {
  const auto cases = OfFile(file);
  const auto found = cases.find(name);
  return found == cases.end() ? std::nullopt : std::optional(found->second);
}

std::map<std::string, std::string, std::less<>> KnownFailures::OfFile(
    const std::string& file) const {
  const auto found = reasons_.find(file);
  return found == reasons_.end() ? std::map<std::string, std::string, std::less<>>()
                                 : found->second;
}

}  // namespace tintype::conformance
