#pragma once

#include <string>
#include <vector>

#include "tables/language/values/value.h"

namespace tintype::tables {

/// Which part of a table or index a Query reads: what KeyConditionExpression and the legacy
/// KeyConditions become. Whether the attributes are the right ones is for the one who knows the
/// schema to check.
struct KeyCondition {
  enum class Operator {
    kEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kBetween,
    kBeginsWith
  };
  struct Term {
    std::string attribute;
    Operator op = Operator::kEqual;
    std::vector<Value> values;  // Two for kBetween, else one.
  };
  std::vector<Term> terms;  // Each attribute once, in order of appearance.
};

}  // namespace tintype::tables
