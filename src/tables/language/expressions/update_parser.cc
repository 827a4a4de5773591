#include "tables/language/internal/update_parser.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace tintype::tables::internal {
namespace {

using Kind = Token::Kind;

std::string_view ClauseName(Kind clause) {
  switch (clause) {
    case Kind::kSet:
      return "SET";
    case Kind::kRemove:
      return "REMOVE";
    case Kind::kAdd:
      return "ADD";
    default:
      return "DELETE";
  }
}

// In messages about ADD and DELETE types go by longer names than elsewhere.
std::string_view LongTypeName(Type type) {
  constexpr std::array<std::string_view, 11> kNames = {
      "",           "STRING", "NUMBER", "BINARY", "STRING_SET", "NUMBER_SET",
      "BINARY_SET", "LIST",   "MAP",    "NULL",   "BOOLEAN"};
  return kNames[static_cast<size_t>(type)];
}

bool IsConditionFunction(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames = {"attribute_exists", "attribute_not_exists",
                                                      "attribute_type",   "begins_with",
                                                      "contains",         "size"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool IsSum(const UpdateOperand& operand) {
  return operand.kind == UpdateOperand::Kind::kPlus || operand.kind == UpdateOperand::Kind::kMinus;
}

}  // namespace

Result<Update> UpdateParser::Parse(std::string_view text, Placeholders& placeholders) {
  RETURN_IF_ERROR(CheckText("UpdateExpression", text, placeholders));
  return UpdateParser(text, placeholders).ParseAll();
}

Result<Update> UpdateParser::ParseAll() {
  do {
    RETURN_IF_ERROR(ParseClause());
  } while (!At(Kind::kEnd));

  std::vector<const Path*> written;
  written.reserve(actions_.size());
  for (const auto& [clause, index] : actions_) {
    written.push_back(clause == Kind::kSet      ? &update_.sets[index].path
                      : clause == Kind::kRemove ? &update_.removes[index]
                      : clause == Kind::kAdd    ? &update_.adds[index].path
                                                : &update_.deletes[index].path);
  }
  if (std::optional<std::string> overlap = DescribeOverlap(written)) {
    Note(Walk::kOverlaps, 0, *std::move(overlap));
  }
  RETURN_IF_ERROR(Outcome());
  return std::move(update_);
}

Status UpdateParser::ParseClause() {
  const Kind clause = kind();
  const size_t at = position();
  if (clause != Kind::kSet && clause != Kind::kRemove && clause != Kind::kAdd &&
      clause != Kind::kDelete) {
    return SyntaxError();
  }
  if (std::find(clauses_.begin(), clauses_.end(), clause) != clauses_.end()) {
    Note(Walk::kSections, static_cast<int64_t>(at),
         StrCat("The \"", ClauseName(clause),
                "\" section can only be used once in an update expression;"));
  }
  clauses_.push_back(clause);
  Advance();
  do {
    // DynamoDB checks the operands of the last action first.
    set_order(-static_cast<int64_t>(actions_.size()));
    RETURN_IF_ERROR(ParseAction(clause));
  } while (Accept(Kind::kComma));
  return OkStatus();
}

Status UpdateParser::ParseAction(Kind clause) {
  ASSIGN_OR_RETURN(Path path, ParsePath(Walk::kWrittenPaths));
  if (clause == Kind::kRemove) {
    actions_.emplace_back(clause, update_.removes.size());
    update_.removes.push_back(std::move(path));
    return OkStatus();
  }
  if (clause == Kind::kSet) {
    RETURN_IF_ERROR(Expect(Kind::kEqual));
    ASSIGN_OR_RETURN(Node value, ParseSum());
    actions_.emplace_back(clause, update_.sets.size());
    update_.sets.push_back({std::move(path), std::move(value.operand)});
    return OkStatus();
  }
  if (!At(Kind::kValuePlaceholder)) {
    return SyntaxError();
  }
  const Value* given = TakeValue();
  // A stand-in for an undefined value, which is noted, keeps the path for the overlap check.
  Value value = given != nullptr ? *given : Value::Null();
  if (given != nullptr) {
    CheckMembers(ClauseName(clause), clause == Kind::kAdd, value);
  }
  if (clause == Kind::kAdd) {
    actions_.emplace_back(clause, update_.adds.size());
    update_.adds.push_back({std::move(path), std::move(value)});
  } else {
    actions_.emplace_back(clause, update_.deletes.size());
    update_.deletes.push_back({std::move(path), std::move(value)});
  }
  return OkStatus();
}

void UpdateParser::CheckMembers(std::string_view clause, bool allow_number, const Value& value) {
  const Type type = value.type();
  if (!IsSet(type) && !(allow_number && type == Type::kNumber)) {
    NoteOperand(StrCat("Incorrect operand type for operator or function; operator: ", clause,
                       ", operand type: ", LongTypeName(type), ", typeSet: ALLOWED_FOR_", clause,
                       "_OPERAND"));
  }
}

Result<UpdateParser::Node> UpdateParser::ParseSum() {
  ASSIGN_OR_RETURN(Node left,
                   At(Kind::kOpen) ? ParseInParentheses(true) : ParseOperandWithoutParentheses());
  if (!At(Kind::kPlus) && !At(Kind::kMinus)) {
    return left;
  }
  // One operator is all a value may have: neither a + b + c nor (a + b) + c is in the grammar.
  if (IsSum(left.operand)) {
    return SyntaxError();
  }
  const std::string_view name = text();
  Node sum;
  sum.operand.kind = At(Kind::kPlus) ? UpdateOperand::Kind::kPlus : UpdateOperand::Kind::kMinus;
  Advance();
  RETURN_IF_ERROR(CountOperator());
  ASSIGN_OR_RETURN(Node right, ParseOperand());
  std::vector<Node> nodes;
  nodes.reserve(2);
  nodes.push_back(std::move(left));
  nodes.push_back(std::move(right));
  CheckOperandTypes(name, Type::kNumber, nodes);
  for (Node& node : nodes) {
    sum.operand.operands.push_back(std::move(node.operand));
  }
  return sum;
}

Result<UpdateParser::Node> UpdateParser::ParseOperand() {
  return At(Kind::kOpen) ? ParseInParentheses(false) : ParseOperandWithoutParentheses();
}

Result<UpdateParser::Node> UpdateParser::ParseInParentheses(bool allow_sum) {
  const Nesting nesting(*this);
  if (nesting.too_deep()) {
    return RedundantParentheses();
  }
  Advance();
  ASSIGN_OR_RETURN(Node inner, allow_sum ? ParseSum() : ParseOperand());
  RETURN_IF_ERROR(Expect(Kind::kClose));
  if (std::exchange(inner.parenthesised, true)) {
    return RedundantParentheses();
  }
  return inner;
}

Result<UpdateParser::Node> UpdateParser::ParseOperandWithoutParentheses() {
  Node node;
  if (At(Kind::kValuePlaceholder)) {
    node.operand.kind = UpdateOperand::Kind::kValue;
    if (const Value* value = TakeValue()) {
      node.operand.value = *value;
      node.type = value->type();
    }
    return node;
  }
  if (At(Kind::kIdentifier) && NextIs(Kind::kOpen)) {
    return ParseCall();
  }
  node.operand.kind = UpdateOperand::Kind::kPath;
  ASSIGN_OR_RETURN(node.operand.path, ParsePath(Walk::kReadPaths));
  return node;
}

Result<UpdateParser::Node> UpdateParser::ParseCall() {
  const std::string_view name = text();
  const bool if_not_exists = name == "if_not_exists";
  if (!if_not_exists && name != "list_append") {
    NoteAt(position(), 0,
           IsConditionFunction(name)
               ? StrCat("The function is not allowed in an update expression; function: ", name)
               : StrCat("Invalid function name; function: ", name));
  }
  RETURN_IF_ERROR(CountOperator());
  Advance();
  Advance();
  std::vector<Node> args;
  do {
    ASSIGN_OR_RETURN(Node arg, ParseOperand());
    args.push_back(std::move(arg));
  } while (Accept(Kind::kComma));
  RETURN_IF_ERROR(Expect(Kind::kClose));

  Node node;
  node.operand.kind =
      if_not_exists ? UpdateOperand::Kind::kIfNotExists : UpdateOperand::Kind::kListAppend;
  if (args.size() != 2) {
    NoteOperand(IncorrectOperandCount(name, args.size()));
    return node;
  }
  CheckCall(node.operand.kind, name, args);
  if (if_not_exists) {
    node.operand.path = std::move(args[0].operand.path);
    node.operand.operands.push_back(std::move(args[1].operand));
  } else {
    node.operand.operands.push_back(std::move(args[0].operand));
    node.operand.operands.push_back(std::move(args[1].operand));
  }
  return node;
}

void UpdateParser::CheckCall(UpdateOperand::Kind kind, std::string_view name,
                             const std::vector<Node>& args) {
  if (kind == UpdateOperand::Kind::kListAppend) {
    CheckOperandTypes(name, Type::kList, args);
    return;
  }
  const UpdateOperand& first = args[0].operand;
  const UpdateOperand& second = args[1].operand;
  if (first.kind != UpdateOperand::Kind::kPath) {
    NoteOperand(PathRequired(name));
  } else if (second.kind == UpdateOperand::Kind::kPath && first.path == second.path) {
    NoteOperand(NotDistinct(name, first.path));
  }
}

void UpdateParser::CheckOperandTypes(std::string_view name, Type wanted,
                                     const std::vector<Node>& nodes) {
  for (const Node& node : nodes) {
    if (node.type && *node.type != wanted) {
      NoteOperand(IncorrectOperandType(name, *node.type));
    }
  }
}

}  // namespace tintype::tables::internal
