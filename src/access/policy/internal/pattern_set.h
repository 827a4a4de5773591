#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "access/policy/internal/pattern.h"

namespace tintype::access::internal {

/// The texts of one list of a policy, any of which may match. Those without wildcards and variables
/// are looked up, so that long lists of attributes or actions cost little.
class PatternSet {
 public:
  void Add(Pattern pattern);

  bool Matches(std::string_view text, RequestValues& values) const;

  bool LacksValue(RequestValues& values) const;
  void AddKeys(uint32_t& keys) const;

 private:
  bool all_ = false;
  std::vector<std::string> literals_;  // By length, then by bytes.
  std::vector<Pattern> patterns_;
};

}  // namespace tintype::access::internal
