#pragma once

#include <simdjson.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tintype::conformance {

/// One call and what it must answer. The JSON parts point into the file's document.
struct Step {
  std::string operation;
  std::string request;  // JSON, with `$repeat` and `$concat` written out, but not `${name}`.
  std::optional<simdjson::dom::element> response;
  std::optional<simdjson::dom::element> until;
  std::optional<simdjson::dom::element> collect;
  std::optional<std::string> error;
  std::optional<simdjson::dom::element> message;
  std::optional<simdjson::dom::element> detail;
  /// Parts of the answer that later steps use: their names, and where they are as JSON pointers.
  std::vector<std::pair<std::string, std::string>> keep;
  int segments = 0;  // With `collect`: how many segments of a scan to read, none when 0.
  int repeat = 1;
};

struct Case {
  std::string name;
  std::vector<Step> steps;
};

/// A parsed case file. Throws std::runtime_error naming the file when it is not one.
struct CaseFile {
  static CaseFile Load(const std::string& path);

  std::string path;
  std::vector<std::string> tables;  // Requests of CreateTable.
  std::vector<std::string> table_names;
  std::vector<Case> cases;
  std::unique_ptr<simdjson::dom::parser> parser;  // Owns the document that steps point into.
};

}  // namespace tintype::conformance
