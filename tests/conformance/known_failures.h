#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tintype::conformance {

/// The cases that a service is known to fail, with the reason for each, from a file with lines
///
///   file: name of the case | why it fails
///
/// where the name `*` stands for a file whose tables the service cannot make. Lines that begin with
/// `#` are comments.
class KnownFailures {
 public:
  /// The name that stands for a file's tables.
  static constexpr std::string_view kTables = "*";

  /// Throws std::runtime_error, naming the line, when it is not such a file. No path, no failures.
  static KnownFailures Load(const std::string& path);

  /// The reason if the case is listed. `file` is the name of its file without the extension.
  std::optional<std::string> Find(const std::string& file, std::string_view name) const;
  /// Listed cases of that file, by name with their reasons.
  std::map<std::string, std::string, std::less<>> OfFile(const std::string& file) const;

 private:
  std::map<std::string, std::map<std::string, std::string, std::less<>>> reasons_;
};

}  // namespace tintype::conformance
