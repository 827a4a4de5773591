#include "tables/wire/internal/legacy.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tables/language/limits.h"
#include "tables/wire/internal/attribute_value.h"

namespace tintype::tables::wire {

namespace {

constexpr std::string_view kInvalidValues = "One or more parameter values were invalid: ";

/// What a comparison operator accepts.
struct OperatorRule {
  std::string_view name;
  size_t min_values;
  size_t max_values;
  /// Types that the values may have; empty for all.
  std::string_view types;
};
constexpr size_t kAnyNumber = SIZE_MAX;
constexpr OperatorRule kOperatorRules[] = {
    {"EQ", 1, 1, ""},
    {"NE", 1, 1, ""},
    {"LE", 1, 1, "SNB"},
    {"LT", 1, 1, "SNB"},
    {"GE", 1, 1, "SNB"},
    {"GT", 1, 1, "SNB"},
    {"CONTAINS", 1, 1, "SNB"},
    {"NOT_CONTAINS", 1, 1, "SNB"},
    {"BEGINS_WITH", 1, 1, "SB"},
    {"IN", 1, kAnyNumber, "SNB"},
    {"BETWEEN", 2, 2, "SNB"},
    {"NULL", 0, 0, ""},
    {"NOT_NULL", 0, 0, ""},
};

/// REQUIRES: the request's shape has checked the operator.
const OperatorRule& RuleOf(std::string_view name) {
  const auto* rule = std::find_if(std::begin(kOperatorRules), std::end(kOperatorRules),
                                  [&](const OperatorRule& each) { return each.name == name; });
  CHECK(rule != std::end(kOperatorRules));
  return *rule;
}

bool Allows(const OperatorRule& rule, Type type) {
  const std::string_view name = TypeName(type);
  return rule.types.empty() ||
         (name.size() == 1 && rule.types.find(name[0]) != std::string_view::npos);
}

/// REQUIRES: both are of the same type, S, N or B.
bool IsGreater(const Value& a, const Value& b) {
  if (a.type() == Type::kNumber) {
    return a.view().AsNumber() > b.view().AsNumber();
  }
  return a.view().AsString() > b.view().AsString();
}

Status CheckComparison(std::string_view op, const std::vector<Value>& values) {
  const OperatorRule& rule = RuleOf(op);
  if (values.size() < rule.min_values || values.size() > rule.max_values) {
    return Error::Validation(StrCat(kInvalidValues, "Invalid number of argument(s) for the ", op,
                                    " ComparisonOperator"));
  }
  for (const Value& value : values) {
    if (value.type() != values[0].type()) {
      return Error::Validation(
          StrCat(kInvalidValues, "AttributeValues inside AttributeValueList must be of same type"));
    }
  }
  for (const Value& value : values) {
    if (!Allows(rule, value.type())) {
      return Error::Validation(StrCat(kInvalidValues, "ComparisonOperator ", op,
                                      " is not valid for ", TypeName(value.type()),
                                      " AttributeValue type"));
    }
  }
  if (op == "BETWEEN" && IsGreater(values[0], values[1])) {
    return Error::Validation(
        "The BETWEEN condition was provided a range where the lower bound is greater than the "
        "upper "
        "bound");
  }
  return OkStatus();
}

Condition Leaf(Condition::Kind kind, std::string_view attribute, std::vector<Value> values) {
  Condition condition;
  condition.kind = kind;
  condition.operands.push_back(Operand::OfPath(Path::Attribute(std::string(attribute))));
  for (Value& value : values) {
    condition.operands.push_back(Operand::OfValue(std::move(value)));
  }
  return condition;
}

Condition Comparison(Comparator comparator, std::string_view attribute, std::vector<Value> values) {
  Condition condition = Leaf(Condition::Kind::kCompare, attribute, std::move(values));
  condition.comparator = comparator;
  return condition;
}

Condition Combine(Condition::Kind kind, std::vector<Condition> children) {
  if (children.size() == 1 && kind != Condition::Kind::kNot) {
    return std::move(children[0]);
  }
  Condition condition;
  condition.kind = kind;
  condition.children = std::move(children);
  return condition;
}

/// REQUIRES: CheckComparison(op, values).
Condition Translate(std::string_view op, std::string_view attribute, std::vector<Value> values) {
  static constexpr std::pair<std::string_view, Comparator> kComparators[] = {
      {"EQ", Comparator::kEqual},   {"NE", Comparator::kNotEqual},
      {"LT", Comparator::kLess},    {"LE", Comparator::kLessOrEqual},
      {"GT", Comparator::kGreater}, {"GE", Comparator::kGreaterOrEqual},
  };
  static constexpr std::pair<std::string_view, Condition::Kind> kKinds[] = {
      {"NULL", Condition::Kind::kAttributeNotExists},
      {"NOT_NULL", Condition::Kind::kAttributeExists},
      {"CONTAINS", Condition::Kind::kContains},
      {"BEGINS_WITH", Condition::Kind::kBeginsWith},
      {"IN", Condition::Kind::kIn},
      {"BETWEEN", Condition::Kind::kBetween},
  };
  for (const auto& [name, comparator] : kComparators) {
    if (op == name) {
      return Comparison(comparator, attribute, std::move(values));
    }
  }
  for (const auto& [name, kind] : kKinds) {
    if (op == name) {
      return Leaf(kind, attribute, std::move(values));
    }
  }
  // NOT_CONTAINS is more than NOT contains(): an item without the attribute does not match.
  std::vector<Condition> negated;
  negated.push_back(Leaf(Condition::Kind::kContains, attribute, std::move(values)));
  std::vector<Condition> both;
  both.push_back(Leaf(Condition::Kind::kAttributeExists, attribute, {}));
  both.push_back(Combine(Condition::Kind::kNot, std::move(negated)));
  return Combine(Condition::Kind::kAnd, std::move(both));
}

/// Joins conditions by the request's ConditionalOperator, AND if it has none.
Result<std::optional<Condition>> Join(const JsonObject& request,
                                      std::vector<Condition> conditions) {
  const auto op = request.String("ConditionalOperator");
  if (conditions.empty()) {
    if (op) {
      return Error::Validation("ConditionalOperator cannot be used without Filter or Expected");
    }
    return std::optional<Condition>();
  }
  if (op && conditions.size() == 1) {
    return Error::Validation(
        "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  }
  return std::optional<Condition>(
      Combine(op == "OR" ? Condition::Kind::kOr : Condition::Kind::kAnd, std::move(conditions)));
}

Error ExpectedError(std::string_view what, std::string_view attribute) {
  return Error::Validation(StrCat(kInvalidValues, what, " for Attribute: ", attribute));
}

/// One entry of Expected: a comparison, or the older form of Value and Exists.
/// Each entry costs a look-up in the item, as each operator of an expression does, and has that
/// limit.
Status CheckConditionCount(const JsonObject& entries) {
  if (entries.size() > static_cast<size_t>(limits::kExpressionOperators)) {
    return Error::Validation(StrCat(kInvalidValues, "More than ", limits::kExpressionOperators,
                                    " conditions in one request"));
  }
  return OkStatus();
}

Result<Condition> DecodeExpectedEntry(std::string_view attribute, const JsonObject& entry) {
  const auto list = entry.Array("AttributeValueList");
  const auto value = entry.Find("Value");
  const auto op = entry.String("ComparisonOperator");
  const auto exists = entry.Bool("Exists");
  if (list && value) {
    return ExpectedError("Value and AttributeValueList cannot be used together", attribute);
  }
  if (!op && list) {
    return ExpectedError("AttributeValueList can only be used with a ComparisonOperator",
                         attribute);
  }
  if (op && exists) {
    return ExpectedError("Exists and ComparisonOperator cannot be used together", attribute);
  }
  if (op && *op != "NULL" && *op != "NOT_NULL" && !list && !value) {
    return ExpectedError(
        StrCat("Value or AttributeValueList must be used with ComparisonOperator: ", *op),
        attribute);
  }
  if (!op && exists.value_or(true) && !value) {
    return ExpectedError(StrCat("Value must be provided when Exists is ", exists ? "true" : "null"),
                         attribute);
  }
  if (!op && !exists.value_or(true) && value) {
    return ExpectedError("Value cannot be used when Exists is false", attribute);
  }

  std::vector<Value> values;
  if (list) {
    ASSIGN_OR_RETURN(values, DecodeValues(*list));
  } else if (value) {
    ASSIGN_OR_RETURN(Value decoded, DecodeValue(*value));
    values.push_back(std::move(decoded));
  }
  const std::string_view meant = op ? *op : exists.value_or(true) ? "EQ" : "NULL";
  RETURN_IF_ERROR(CheckComparison(meant, values));
  return Translate(meant, attribute, std::move(values));
}

/// One entry of QueryFilter, ScanFilter or KeyConditions.
struct LegacyComparison {
  std::string_view op;
  std::vector<Value> values;
};
Result<LegacyComparison> DecodeComparison(const JsonObject& entry) {
  LegacyComparison comparison{entry.String("ComparisonOperator").value_or(""), {}};
  if (const auto list = entry.Array("AttributeValueList")) {
    ASSIGN_OR_RETURN(comparison.values, DecodeValues(*list));
  }
  RETURN_IF_ERROR(CheckComparison(comparison.op, comparison.values));
  return comparison;
}

std::optional<KeyCondition::Operator> KeyOperator(std::string_view op) {
  using Operator = KeyCondition::Operator;
  static constexpr std::pair<std::string_view, Operator> kOperators[] = {
      {"EQ", Operator::kEqual},
      {"LT", Operator::kLess},
      {"LE", Operator::kLessOrEqual},
      {"GT", Operator::kGreater},
      {"GE", Operator::kGreaterOrEqual},
      {"BETWEEN", Operator::kBetween},
      {"BEGINS_WITH", Operator::kBeginsWith},
  };
  for (const auto& [name, value] : kOperators) {
    if (op == name) {
      return value;
    }
  }
  return std::nullopt;
}

/// Adds one entry of AttributeUpdates to `update`.
Status DecodeAttributeUpdate(std::string_view attribute, const JsonObject& entry, Update& update) {
  const std::string_view action = entry.String("Action").value_or("PUT");
  Path path = Path::Attribute(std::string(attribute));
  const auto json = entry.Find("Value");
  if (!json) {
    if (action != "DELETE") {
      return Error::Validation(StrCat(
          kInvalidValues, "Only DELETE action is allowed when no attribute value is specified"));
    }
    update.removes.push_back(std::move(path));
    return OkStatus();
  }
  ASSIGN_OR_RETURN(Value value, DecodeValue(*json));
  const Type type = value.type();
  if (action == "DELETE") {
    if (!IsSet(type)) {
      return Error::Validation(StrCat(kInvalidValues,
                                      "DELETE action with value is not supported for the type ",
                                      TypeName(type)));
    }
    update.deletes.push_back({std::move(path), std::move(value)});
  } else if (action == "ADD") {
    if (!IsSet(type) && type != Type::kNumber && type != Type::kList) {
      return Error::Validation(
          StrCat(kInvalidValues, "ADD action is not supported for the type ", TypeName(type)));
    }
    update.adds.push_back({std::move(path), std::move(value)});
  } else {
    UpdateOperand operand;
    operand.kind = UpdateOperand::Kind::kValue;
    operand.value = std::move(value);
    update.sets.push_back({std::move(path), std::move(operand)});
  }
  return OkStatus();
}

}  // namespace

Result<std::optional<Condition>> DecodeExpected(const JsonObject& request) {
  std::vector<Condition> conditions;
  if (const auto expected = request.Object("Expected")) {
    RETURN_IF_ERROR(CheckConditionCount(*expected));
    for (const auto& [attribute, entry] : *expected) {
      RETURN_IF_ERROR(CheckAttributeName(attribute));
      ASSIGN_OR_RETURN(Condition condition, DecodeExpectedEntry(attribute, JsonObject(entry)));
      conditions.push_back(std::move(condition));
    }
  }
  return Join(request, std::move(conditions));
}

Result<std::optional<Condition>> DecodeLegacyFilter(const JsonObject& request,
                                                    std::string_view parameter) {
  std::vector<Condition> conditions;
  if (const auto filter = request.Object(parameter)) {
    RETURN_IF_ERROR(CheckConditionCount(*filter));
    for (const auto& [attribute, entry] : *filter) {
      RETURN_IF_ERROR(CheckAttributeName(attribute));
      ASSIGN_OR_RETURN(LegacyComparison comparison, DecodeComparison(JsonObject(entry)));
      conditions.push_back(Translate(comparison.op, attribute, std::move(comparison.values)));
    }
  }
  return Join(request, std::move(conditions));
}

Result<std::optional<KeyCondition>> DecodeKeyConditions(const JsonObject& request) {
  const auto conditions = request.Object("KeyConditions");
  if (!conditions) {
    return std::optional<KeyCondition>();
  }
  KeyCondition result;
  std::vector<std::string_view> operators;
  for (const auto& [attribute, entry] : *conditions) {
    RETURN_IF_ERROR(CheckAttributeName(attribute));
    ASSIGN_OR_RETURN(LegacyComparison comparison, DecodeComparison(JsonObject(entry)));
    operators.push_back(comparison.op);
    result.terms.push_back({std::string(attribute),
                            KeyOperator(comparison.op).value_or(KeyCondition::Operator::kEqual),
                            std::move(comparison.values)});
  }
  // An index may have more key attributes than a table; how many is known where it is looked up.
  const size_t terms_max = request.Has("IndexName") ? 2 * limits::kKeyAttributesPerRole : 2;
  if (result.terms.empty() || result.terms.size() > terms_max) {
    return Error::Validation("Conditions can be of length 1 or 2 only");
  }
  for (const std::string_view op : operators) {
    if (!KeyOperator(op)) {
      return Error::Validation("Attempted conditional constraint is not an indexable operation");
    }
  }
  return std::optional<KeyCondition>(std::move(result));
}

Result<std::optional<Update>> DecodeAttributeUpdates(const JsonObject& request) {
  const auto updates = request.Object("AttributeUpdates");
  if (!updates) {
    return std::optional<Update>();
  }
  Update update;
  update.legacy = true;
  std::set<std::string_view> seen;
  for (const auto& [attribute, entry] : *updates) {
    RETURN_IF_ERROR(CheckAttributeName(attribute));
    if (!seen.insert(attribute).second) {
      return Error::Validation(StrCat(kInvalidValues, "Duplicate attribute name: ", attribute));
    }
    RETURN_IF_ERROR(DecodeAttributeUpdate(attribute, JsonObject(entry), update));
  }
  return std::optional<Update>(std::move(update));
}

Result<std::optional<Projection>> DecodeAttributesToGet(const JsonObject& request) {
  const auto list = request.Array("AttributesToGet");
  if (!list) {
    return std::optional<Projection>();
  }
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  for (const JsonElement element : *list) {
    const std::string_view name = TextOf(element);
    RETURN_IF_ERROR(CheckAttributeName(name));
    if (!seen.insert(name).second) {
      return Error::Validation(StrCat(kInvalidValues, "Duplicate value in attribute name: ", name));
    }
    names.emplace_back(name);
  }
  return std::optional<Projection>(Projection::OfAttributes(names));
}

}  // namespace tintype::tables::wire
