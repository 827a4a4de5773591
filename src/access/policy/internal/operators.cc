#include "access/policy/internal/operators.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace tintype::access::internal {
namespace {

struct BaseOperator {
  std::string_view name;
  OperatorType type;
  Comparison comparison = Comparison::kEqual;
  bool negated = false;
};

constexpr bool kNegated = true;

constexpr std::array kOperators{
    BaseOperator{"StringEquals", OperatorType::kString},
    BaseOperator{"StringNotEquals", OperatorType::kString, Comparison::kEqual, kNegated},
    BaseOperator{"StringEqualsIgnoreCase", OperatorType::kStringIgnoreCase},
    BaseOperator{"StringNotEqualsIgnoreCase", OperatorType::kStringIgnoreCase, Comparison::kEqual,
                 kNegated},
    BaseOperator{"StringLike", OperatorType::kStringLike},
    BaseOperator{"StringNotLike", OperatorType::kStringLike, Comparison::kEqual, kNegated},
    BaseOperator{"NumericEquals", OperatorType::kNumeric},
    BaseOperator{"NumericNotEquals", OperatorType::kNumeric, Comparison::kEqual, kNegated},
    BaseOperator{"NumericLessThan", OperatorType::kNumeric, Comparison::kLess},
    BaseOperator{"NumericLessThanEquals", OperatorType::kNumeric, Comparison::kLessOrEqual},
    BaseOperator{"NumericGreaterThan", OperatorType::kNumeric, Comparison::kGreater},
    BaseOperator{"NumericGreaterThanEquals", OperatorType::kNumeric, Comparison::kGreaterOrEqual},
    BaseOperator{"DateEquals", OperatorType::kDate},
    BaseOperator{"DateNotEquals", OperatorType::kDate, Comparison::kEqual, kNegated},
    BaseOperator{"DateLessThan", OperatorType::kDate, Comparison::kLess},
    BaseOperator{"DateLessThanEquals", OperatorType::kDate, Comparison::kLessOrEqual},
    BaseOperator{"DateGreaterThan", OperatorType::kDate, Comparison::kGreater},
    BaseOperator{"DateGreaterThanEquals", OperatorType::kDate, Comparison::kGreaterOrEqual},
    BaseOperator{"Bool", OperatorType::kBool},
    BaseOperator{"BinaryEquals", OperatorType::kBinary},
    BaseOperator{"IpAddress", OperatorType::kAddress},
    BaseOperator{"NotIpAddress", OperatorType::kAddress, Comparison::kEqual, kNegated},
    // AWS: ArnEquals and ArnLike behave identically.
    BaseOperator{"ArnEquals", OperatorType::kArn},
    BaseOperator{"ArnLike", OperatorType::kArn},
    BaseOperator{"ArnNotEquals", OperatorType::kArn, Comparison::kEqual, kNegated},
    BaseOperator{"ArnNotLike", OperatorType::kArn, Comparison::kEqual, kNegated},
    BaseOperator{"Null", OperatorType::kNull},
};

/// Takes `prefix` off the front of `text`, if it is there in any case of letters.
bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!EqualsIgnoreCase(text.substr(0, prefix.size()), prefix)) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

bool TakeSuffix(std::string_view& text, std::string_view suffix) {
  if (text.size() < suffix.size() ||
      !EqualsIgnoreCase(text.substr(text.size() - suffix.size()), suffix)) {
    return false;
  }
  text.remove_suffix(suffix.size());
  return true;
}

}  // namespace

Result<Operator> ParseOperator(std::string_view name) {
  Operator parsed;
  std::string_view base = name;
  if (TakePrefix(base, "ForAllValues:")) {
    parsed.quantifier = Quantifier::kForAllValues;
  } else if (TakePrefix(base, "ForAnyValue:")) {
    parsed.quantifier = Quantifier::kForAnyValue;
  }
  parsed.if_exists = TakeSuffix(base, "IfExists");
  const auto* const found = std::ranges::find_if(
      kOperators, [&](const BaseOperator& known) { return EqualsIgnoreCase(known.name, base); });
  if (found == kOperators.end()) {
    return Error::Validation(StrCat("\"", name, "\" is no condition operator"));
  }
  if (found->type == OperatorType::kNull &&
      (parsed.if_exists || parsed.quantifier != Quantifier::kPlain)) {
    return Error::Validation(StrCat("\"", name, "\" is no condition operator: Null stands alone"));
  }
  parsed.type = found->type;
  parsed.comparison = found->comparison;
  parsed.negated = found->negated;
  return parsed;
}

}  // namespace tintype::access::internal
