#include <algorithm>

#include "base/strings.h"
#include "tables/language/expressions/expressions.h"
#include "tables/language/faults.h"
#include "tables/language/internal/condition_parser.h"

// A key condition is parsed as any condition, and then restricted.
namespace tintype::tables {
namespace {

Error NotSupported(std::string_view problem) {
  return {reasons::kKeyConditionNotSupported, StrCat("Invalid KeyConditionExpression: ", problem)};
}

Error InvalidOperator(std::string_view name) {
  return NotSupported(StrCat("Invalid operator used in KeyConditionExpression: ", name));
}

Error InvalidCondition(std::string_view problem) {
  return NotSupported(StrCat("Invalid condition in KeyConditionExpression: ", problem));
}

Error NestedOperations() {
  return NotSupported("KeyConditionExpressions cannot contain nested operations");
}

// What `value comparator key` says of the key.
KeyCondition::Operator OperatorOf(Comparator comparator, bool reversed) {
  using Operator = KeyCondition::Operator;
  switch (comparator) {
    case Comparator::kLess:
      return reversed ? Operator::kGreater : Operator::kLess;
    case Comparator::kLessOrEqual:
      return reversed ? Operator::kGreaterOrEqual : Operator::kLessOrEqual;
    case Comparator::kGreater:
      return reversed ? Operator::kLess : Operator::kGreater;
    case Comparator::kGreaterOrEqual:
      return reversed ? Operator::kLessOrEqual : Operator::kGreaterOrEqual;
    default:
      return Operator::kEqual;
  }
}

Status CheckOperator(const Condition& condition) {
  const bool key_first =
      !condition.operands.empty() && condition.operands.front().kind == Operand::Kind::kPath;
  switch (condition.kind) {
    case Condition::Kind::kOr:
      return InvalidOperator("OR");
    case Condition::Kind::kNot:
      return InvalidOperator("NOT");
    case Condition::Kind::kIn:
      return InvalidOperator("IN");
    case Condition::Kind::kAttributeExists:
      return InvalidOperator("attribute_exists");
    case Condition::Kind::kAttributeNotExists:
      return InvalidOperator("attribute_not_exists");
    case Condition::Kind::kAttributeType:
      return InvalidOperator("attribute_type");
    case Condition::Kind::kContains:
      return InvalidOperator("contains");
    case Condition::Kind::kCompare:
      return condition.comparator == Comparator::kNotEqual ? Status(InvalidOperator("<>"))
                                                           : OkStatus();
    case Condition::Kind::kBetween:
      return key_first ? OkStatus()
                       : Status(InvalidCondition(
                             "BETWEEN operator must have the key attribute as its first operand"));
    case Condition::Kind::kBeginsWith:
      return key_first
                 ? OkStatus()
                 : Status(InvalidCondition(
                       "begins_with operator must have the key attribute as its first operand"));
    case Condition::Kind::kAnd:
      return OkStatus();
  }
  return OkStatus();
}

Result<KeyCondition::Term> ConvertTerm(Condition& condition) {
  KeyCondition::Term term;
  const Operand* key = nullptr;
  for (Operand& operand : condition.operands) {
    switch (operand.kind) {
      case Operand::Kind::kSize:
        return NestedOperations();
      case Operand::Kind::kValue:
        term.values.push_back(*std::move(operand.value));
        break;
      case Operand::Kind::kPath:
        if (key != nullptr) {
          return InvalidCondition("Multiple attribute names used in one condition");
        }
        if (!operand.path.is_top_level()) {
          return NotSupported(
              "KeyConditionExpressions cannot have conditions on nested attributes");
        }
        key = &operand;
        break;
    }
  }
  if (key == nullptr) {
    return InvalidCondition("No key attribute specified");
  }
  term.attribute = key->path.attribute();
  if (condition.kind == Condition::Kind::kBetween) {
    term.op = KeyCondition::Operator::kBetween;
  } else if (condition.kind == Condition::Kind::kBeginsWith) {
    term.op = KeyCondition::Operator::kBeginsWith;
  } else {
    term.op = OperatorOf(condition.comparator, key != &condition.operands.front());
  }
  return term;
}

Status Convert(Condition& condition, KeyCondition& result) {
  RETURN_IF_ERROR(CheckOperator(condition));
  if (condition.kind == Condition::Kind::kAnd) {
    for (Condition& child : condition.children) {
      RETURN_IF_ERROR(Convert(child, result));
    }
    return OkStatus();
  }
  ASSIGN_OR_RETURN(KeyCondition::Term term, ConvertTerm(condition));
  const auto same_attribute = [&](const KeyCondition::Term& other) {
    return other.attribute == term.attribute;
  };
  if (std::any_of(result.terms.begin(), result.terms.end(), same_attribute)) {
    return NotSupported("KeyConditionExpressions must only contain one condition per key");
  }
  result.terms.push_back(std::move(term));
  return OkStatus();
}

}  // namespace

Result<KeyCondition> ParseKeyConditionExpression(std::string_view text,
                                                 Placeholders& placeholders) {
  ASSIGN_OR_RETURN(internal::ConditionParser::Parsed parsed,
                   internal::ConditionParser::Parse("KeyConditionExpression", text, placeholders));
  KeyCondition result;
  RETURN_IF_ERROR(Convert(parsed.condition, result));
  if (parsed.has_size) {
    return NestedOperations();
  }
  return result;
}

}  // namespace tintype::tables
