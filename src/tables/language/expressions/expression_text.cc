#include "tables/language/expressions/expression_text.h"

#include <utility>

#include "base/strings.h"

namespace tintype::tables {

namespace {

std::string_view Sign(Comparator comparator) {
  switch (comparator) {
    case Comparator::kEqual:
      return "=";
    case Comparator::kNotEqual:
      return "<>";
    case Comparator::kLess:
      return "<";
    case Comparator::kLessOrEqual:
      return "<=";
    case Comparator::kGreater:
      return ">";
    case Comparator::kGreaterOrEqual:
      break;
  }
  return ">=";
}

std::string_view Sign(KeyCondition::Operator op) {
  switch (op) {
    case KeyCondition::Operator::kLess:
      return "<";
    case KeyCondition::Operator::kLessOrEqual:
      return "<=";
    case KeyCondition::Operator::kGreater:
      return ">";
    case KeyCondition::Operator::kGreaterOrEqual:
      return ">=";
    default:
      return "=";
  }
}

bool Is(const Condition& condition, Condition::Kind kind) { return condition.kind == kind; }

/// A list can be added only by AttributeUpdates, which append it.
bool IsListAdd(const Update::Add& add) { return add.value.type() == Type::kList; }

}  // namespace

std::string ExpressionWriter::Write(const Condition& condition) {
  Append(condition);
  return Take();
}

std::string ExpressionWriter::Write(const KeyCondition& condition) {
  for (const KeyCondition::Term& term : condition.terms) {
    text_.append(text_.empty() ? "" : " AND ");
    const Path path = Path::Attribute(term.attribute);
    if (term.op == KeyCondition::Operator::kBeginsWith) {
      text_.append("begins_with(");
      Append(path);
      text_.push_back(',');
      Append(term.values[0]);
      text_.push_back(')');
    } else if (term.op == KeyCondition::Operator::kBetween) {
      Append(path);
      text_.append(" BETWEEN ");
      Append(term.values[0]);
      text_.append(" AND ");
      Append(term.values[1]);
    } else {
      Append(path);
      text_.append(Sign(term.op));
      Append(term.values[0]);
    }
  }
  return Take();
}

std::string ExpressionWriter::Write(const Update& update) {
  AppendSets(update);
  // Writes a clause's keyword before its first action, a comma before the others.
  std::string_view current = "SET";
  const auto begin_action = [&](std::string_view clause) {
    if (std::exchange(current, clause) == clause) {
      text_.push_back(',');
    } else {
      StrAppend(text_, text_.empty() ? "" : " ", clause, ' ');
    }
  };
  for (const Path& path : update.removes) {
    begin_action("REMOVE");
    Append(path);
  }
  for (const Update::Add& add : update.adds) {
    if (!IsListAdd(add)) {
      begin_action("ADD");
      Append(add.path);
      text_.push_back(' ');
      Append(add.value);
    }
  }
  for (const Update::Delete& erase : update.deletes) {
    begin_action("DELETE");
    Append(erase.path);
    text_.push_back(' ');
    Append(erase.value);
  }
  return Take();
}

void ExpressionWriter::AppendSets(const Update& update) {
  const auto begin_action = [&](const Path& path) {
    text_.append(text_.empty() ? "SET " : ",");
    Append(path);
    text_.push_back('=');
  };
  for (const Update::Set& set : update.sets) {
    begin_action(set.path);
    Append(set.value);
  }
  for (const Update::Add& add : update.adds) {
    if (IsListAdd(add)) {
      begin_action(add.path);
      text_.append("list_append(if_not_exists(");
      Append(add.path);
      text_.push_back(',');
      Append(Value::List({}));
      text_.append("),");
      Append(add.value);
      text_.push_back(')');
    }
  }
}

std::string ExpressionWriter::Write(const Projection& projection) {
  for (const Path& path : projection.paths()) {
    text_.append(text_.empty() ? "" : ",");
    Append(path);
  }
  return Take();
}

void ExpressionWriter::Append(const Condition& condition) {
  switch (condition.kind) {
    case Condition::Kind::kAnd:
      AppendJoined(condition, " AND ");
      return;
    case Condition::Kind::kOr:
      AppendJoined(condition, " OR ");
      return;
    case Condition::Kind::kNot: {
      const Condition& inner = condition.children[0];
      text_.append("NOT ");
      AppendInParentheses(inner,
                          Is(inner, Condition::Kind::kAnd) || Is(inner, Condition::Kind::kOr));
      return;
    }
    case Condition::Kind::kCompare:
      Append(condition.operands[0]);
      text_.append(Sign(condition.comparator));
      Append(condition.operands[1]);
      return;
    case Condition::Kind::kBetween:
      Append(condition.operands[0]);
      text_.append(" BETWEEN ");
      Append(condition.operands[1]);
      text_.append(" AND ");
      Append(condition.operands[2]);
      return;
    case Condition::Kind::kIn:
      Append(condition.operands[0]);
      for (size_t i = 1; i < condition.operands.size(); ++i) {
        text_.append(i == 1 ? " IN (" : ",");
        Append(condition.operands[i]);
      }
      text_.push_back(')');
      return;
    case Condition::Kind::kAttributeExists:
      return AppendCall("attribute_exists", condition);
    case Condition::Kind::kAttributeNotExists:
      return AppendCall("attribute_not_exists", condition);
    case Condition::Kind::kAttributeType:
      return AppendCall("attribute_type", condition);
    case Condition::Kind::kBeginsWith:
      return AppendCall("begins_with", condition);
    case Condition::Kind::kContains:
      return AppendCall("contains", condition);
  }
}

// Parentheses stand exactly where reading without them would give another tree: redundant ones are
// an error.
void ExpressionWriter::AppendJoined(const Condition& condition, std::string_view separator) {
  bool first = true;
  for (const Condition& child : condition.children) {
    text_.append(first ? "" : separator);
    first = false;
    AppendInParentheses(
        child, Is(child, Condition::Kind::kOr) ||
                   (Is(child, Condition::Kind::kAnd) && Is(condition, Condition::Kind::kAnd)));
  }
}

void ExpressionWriter::AppendInParentheses(const Condition& condition, bool wanted) {
  text_.append(wanted ? "(" : "");
  Append(condition);
  text_.append(wanted ? ")" : "");
}

void ExpressionWriter::AppendCall(std::string_view function, const Condition& condition) {
  StrAppend(text_, function, '(');
  for (const Operand& operand : condition.operands) {
    text_.append(&operand == condition.operands.data() ? "" : ",");
    Append(operand);
  }
  text_.push_back(')');
}

void ExpressionWriter::Append(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::kPath:
      Append(operand.path);
      return;
    case Operand::Kind::kValue:
      Append(*operand.value);
      return;
    case Operand::Kind::kSize:
      text_.append("size(");
      Append(operand.path);
      text_.push_back(')');
      return;
  }
}

void ExpressionWriter::Append(const UpdateOperand& operand) {
  switch (operand.kind) {
    case UpdateOperand::Kind::kPath:
      Append(operand.path);
      return;
    case UpdateOperand::Kind::kValue:
      Append(*operand.value);
      return;
    case UpdateOperand::Kind::kIfNotExists:
      text_.append("if_not_exists(");
      Append(operand.path);
      text_.push_back(',');
      Append(operand.operands[0]);
      text_.push_back(')');
      return;
    case UpdateOperand::Kind::kListAppend:
      text_.append("list_append(");
      Append(operand.operands[0]);
      text_.push_back(',');
      Append(operand.operands[1]);
      text_.push_back(')');
      return;
    case UpdateOperand::Kind::kPlus:
    case UpdateOperand::Kind::kMinus:
      Append(operand.operands[0]);
      text_.push_back(operand.kind == UpdateOperand::Kind::kPlus ? '+' : '-');
      Append(operand.operands[1]);
      return;
  }
}

void ExpressionWriter::Append(const Path& path) {
  for (const PathStep& step : path.steps) {
    if (step.is_index) {
      StrAppend(text_, '[', step.index, ']');
      continue;
    }
    const auto entry = names_.try_emplace(step.name, names_.size()).first;
    StrAppend(text_, &step == path.steps.data() ? "#" : ".#", entry->second);
  }
}

void ExpressionWriter::Append(const Value& value) {
  const auto entry = values_.try_emplace(value.encoded(), values_.size()).first;
  StrAppend(text_, ':', entry->second);
}

std::string ExpressionWriter::Take() { return std::exchange(text_, {}); }

}  // namespace tintype::tables
