#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace tintype::access::internal {

/// What an operator takes the values for.
enum class OperatorType : uint8_t {
  kString,
  kStringIgnoreCase,
  kStringLike,
  kNumeric,
  kDate,
  kBool,
  kBinary,
  kAddress,
  kArn,
  kNull,
};

enum class Comparison : uint8_t { kEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

/// How the values of a request are put together.
enum class Quantifier : uint8_t { kPlain, kForAllValues, kForAnyValue };

/// A condition operator, taken apart: `ForAllValues:StringNotEqualsIfExists`.
struct Operator {
  OperatorType type = OperatorType::kString;
  Comparison comparison = Comparison::kEqual;
  bool negated = false;
  bool if_exists = false;
  Quantifier quantifier = Quantifier::kPlain;
};

/// The operator of that name, in any case of letters, as IAM takes it. Errors: kValidation.
Result<Operator> ParseOperator(std::string_view name);

}  // namespace tintype::access::internal
