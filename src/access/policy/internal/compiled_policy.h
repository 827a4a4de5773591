#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "access/policy/internal/condition.h"
#include "access/policy/internal/pattern_set.h"

namespace tintype::access::internal {

/// One statement, compiled.
struct Statement {
  uint32_t number = 0;  ///< In the document, from 1.
  std::string sid;
  Effect effect = Effect::kDeny;
  /// In lower case: actions are compared without regard to case.
  PatternSet actions;
  bool not_action = false;
  PatternSet resources;
  bool not_resource = false;
  std::vector<Condition> conditions;

  /// `action` is in lower case.
  bool Applies(std::string_view action, std::string_view resource, RequestValues& values) const;
};

struct CompiledPolicy {
  std::string document;
  std::vector<Statement> denials;
  std::vector<Statement> allowances;
  /// The condition keys that any statement reads, as bits.
  uint32_t keys = 0;
};

}  // namespace tintype::access::internal
