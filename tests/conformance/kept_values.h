#pragma once

#include <simdjson.h>

#include <map>
#include <string>
#include <string_view>

#include "case_file.h"

namespace tintype::conformance {

/// What steps keep of their answers for the steps after them, by name: ARNs, iterators, times,
/// which nobody can know beforehand.
class KeptValues {
 public:
  /// Keeps the parts of an answer that the step names. Tells in words what is not there.
  std::string Keep(const Step& step, simdjson::dom::element body);

  /// JSON with each `${name}` replaced by what was kept: a string that is nothing else by the value
  /// of whatever type, a part of a longer string by the text.
  std::string Fill(std::string_view json) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;  // As JSON.
};

}  // namespace tintype::conformance
