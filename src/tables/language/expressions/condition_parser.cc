#include "tables/language/internal/condition_parser.h"

#include <array>
#include <utility>

#include "base/strings.h"
#include "tables/language/internal/size_function.h"
#include "tables/language/limits.h"

namespace tintype::tables::internal {
namespace {

using Kind = Token::Kind;

std::optional<Comparator> ComparatorOf(Kind kind) {
  switch (kind) {
    case Kind::kEqual:
      return Comparator::kEqual;
    case Kind::kNotEqual:
      return Comparator::kNotEqual;
    case Kind::kLess:
      return Comparator::kLess;
    case Kind::kLessOrEqual:
      return Comparator::kLessOrEqual;
    case Kind::kGreater:
      return Comparator::kGreater;
    case Kind::kGreaterOrEqual:
      return Comparator::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

struct Function {
  std::string_view name;
  size_t operands;
  Condition::Kind kind;
};
// Names are case-sensitive, unlike keywords.
constexpr std::array<Function, 5> kFunctions = {{
    {"attribute_exists", 1, Condition::Kind::kAttributeExists},
    {"attribute_not_exists", 1, Condition::Kind::kAttributeNotExists},
    {"attribute_type", 2, Condition::Kind::kAttributeType},
    {"begins_with", 2, Condition::Kind::kBeginsWith},
    {"contains", 2, Condition::Kind::kContains},
}};

const Function* FindFunction(std::string_view name) {
  for (const Function& function : kFunctions) {
    if (function.name == name) {
      return &function;
    }
  }
  return nullptr;
}

// As DynamoDB prints a bound of BETWEEN in messages.
std::string Describe(const Value& value) {
  const ValueView view = value.view();
  switch (view.type()) {
    case Type::kNumber:
      return StrCat("AttributeValue: {N:", view.AsNumber().ToString(), '}');
    case Type::kBinary:
      return StrCat("AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=", view.payload().size(),
                    " cap=", view.payload().size(), "]}");
    default:
      return StrCat("AttributeValue: {S:", view.AsString(), '}');
  }
}

}  // namespace

Result<ConditionParser::Parsed> ConditionParser::Parse(std::string_view label,
                                                       std::string_view text,
                                                       Placeholders& placeholders) {
  RETURN_IF_ERROR(CheckText(label, text, placeholders));
  return ConditionParser(label, text, placeholders).ParseAll();
}

Result<ConditionParser::Parsed> ConditionParser::ParseAll() {
  ASSIGN_OR_RETURN(Node root, ParseOr());
  RETURN_IF_ERROR(RequireCondition(root));
  RETURN_IF_ERROR(Expect(Kind::kEnd));
  RETURN_IF_ERROR(Outcome());
  return Parsed{std::move(root.condition), has_size_};
}

Result<ConditionParser::Node> ConditionParser::ParseOr() {
  ASSIGN_OR_RETURN(Node first, ParseAnd());
  if (!At(Kind::kOr)) {
    return first;
  }
  Node any;
  any.condition.kind = Condition::Kind::kOr;
  RETURN_IF_ERROR(RequireCondition(first));
  any.condition.children.push_back(std::move(first.condition));
  while (Accept(Kind::kOr)) {
    RETURN_IF_ERROR(CountOperator());
    ASSIGN_OR_RETURN(Node next, ParseAnd());
    RETURN_IF_ERROR(RequireCondition(next));
    any.condition.children.push_back(std::move(next.condition));
  }
  return any;
}

Result<ConditionParser::Node> ConditionParser::ParseAnd() {
  ASSIGN_OR_RETURN(Node first, ParseNot());
  if (!At(Kind::kAnd)) {
    return first;
  }
  Node all;
  all.condition.kind = Condition::Kind::kAnd;
  RETURN_IF_ERROR(RequireCondition(first));
  all.condition.children.push_back(std::move(first.condition));
  while (Accept(Kind::kAnd)) {
    RETURN_IF_ERROR(CountOperator());
    ASSIGN_OR_RETURN(Node next, ParseNot());
    RETURN_IF_ERROR(RequireCondition(next));
    all.condition.children.push_back(std::move(next.condition));
  }
  return all;
}

Result<ConditionParser::Node> ConditionParser::ParseNot() {
  if (!Accept(Kind::kNot)) {
    return ParseComparison();
  }
  RETURN_IF_ERROR(CountOperator());
  ASSIGN_OR_RETURN(Node inner, ParseNot());
  RETURN_IF_ERROR(RequireCondition(inner));
  Node negation;
  negation.condition.kind = Condition::Kind::kNot;
  negation.condition.children.push_back(std::move(inner.condition));
  return negation;
}

Result<ConditionParser::Node> ConditionParser::ParseComparison() {
  ASSIGN_OR_RETURN(Node left, ParseGroup());
  // After a parenthesised condition a comparator is a syntax error, which the caller finds.
  if (left.shape == Node::Shape::kCondition) {
    return left;
  }
  if (At(Kind::kBetween)) {
    return ParseBetween(std::move(left));
  }
  if (At(Kind::kIn)) {
    return ParseIn(std::move(left));
  }
  if (ComparatorOf(kind())) {
    return ParseCompare(std::move(left));
  }
  return left;
}

Result<ConditionParser::Node> ConditionParser::ParseGroup() {
  return At(Kind::kOpen) ? ParseParenthesised(&ConditionParser::ParseOr)
                         : ParseOperandWithoutParentheses();
}

Result<ConditionParser::Node> ConditionParser::ParseOperand() {
  return At(Kind::kOpen) ? ParseParenthesised(&ConditionParser::ParseOperand)
                         : ParseOperandWithoutParentheses();
}

Result<ConditionParser::Node> ConditionParser::ParseParenthesised(ParseFunction parse_inner) {
  const Nesting nesting(*this);
  if (nesting.too_deep()) {
    return RedundantParentheses();
  }
  Advance();
  ASSIGN_OR_RETURN(Node inner, (this->*parse_inner)());
  RETURN_IF_ERROR(Expect(Kind::kClose));
  if (std::exchange(inner.parenthesised, true)) {
    return RedundantParentheses();
  }
  return inner;
}

Result<ConditionParser::Node> ConditionParser::ParseOperandWithoutParentheses() {
  Node node;
  if (At(Kind::kValuePlaceholder)) {
    node.shape = Node::Shape::kValue;
    node.operand.kind = Operand::Kind::kValue;
    if (const Value* value = TakeValue()) {
      node.operand.value = *value;
      node.type = value->type();
    }
    return node;
  }
  if (At(Kind::kIdentifier) && NextIs(Kind::kOpen)) {
    return ParseCall();
  }
  node.shape = Node::Shape::kPath;
  ASSIGN_OR_RETURN(node.operand.path, ParsePath(Walk::kOperands));
  return node;
}

Result<ConditionParser::Node> ConditionParser::ParseCall() {
  const std::string_view name = text();
  const size_t at = position();
  RETURN_IF_ERROR(CountOperator());
  Advance();
  Advance();
  std::vector<Node> args;
  do {
    ASSIGN_OR_RETURN(Node arg, ParseOperand());
    RequireOperand(arg);
    args.push_back(std::move(arg));
  } while (Accept(Kind::kComma));
  RETURN_IF_ERROR(Expect(Kind::kClose));

  const bool is_size = name == "size";
  const Function* function = FindFunction(name);
  Node node;
  if (!is_size && function == nullptr) {
    const bool of_updates = name == "if_not_exists" || name == "list_append";
    NoteAt(at, 0,
           of_updates
               ? StrCat("The function is not allowed in a condition expression; function: ", name)
               : StrCat("Invalid function name; function: ", name));
    node.shape = Node::Shape::kCall;
  } else if (args.size() != (is_size ? 1 : function->operands)) {
    NoteAt(at, 2, IncorrectOperandCount(name, args.size()));
    node.shape = is_size ? Node::Shape::kSize : Node::Shape::kCall;
  } else if (is_size) {
    node = BuildSize(std::move(args.front()));
  } else {
    CheckCall(function->kind, name, args);
    node = BuildCall(function->kind, std::move(args));
  }
  node.function = name;
  node.position = at;
  return node;
}

Result<ConditionParser::Node> ConditionParser::ParseCompare(Node left) {
  const std::string_view name = text();
  const Comparator comparator = *ComparatorOf(kind());
  Advance();
  RETURN_IF_ERROR(CountOperator());
  std::vector<Node> nodes;
  nodes.reserve(2);
  nodes.push_back(std::move(left));
  ASSIGN_OR_RETURN(Node right, ParseOperand());
  nodes.push_back(std::move(right));
  RequireOperand(nodes[0]);
  RequireOperand(nodes[1]);
  CheckDistinct(name, nodes);
  if (comparator != Comparator::kEqual && comparator != Comparator::kNotEqual) {
    CheckOrdered(name, nodes);
  }
  Node node = BuildCall(Condition::Kind::kCompare, std::move(nodes));
  node.shape = Node::Shape::kCondition;
  node.condition.comparator = comparator;
  return node;
}

Result<ConditionParser::Node> ConditionParser::ParseBetween(Node left) {
  Advance();
  RETURN_IF_ERROR(CountOperator());
  ASSIGN_OR_RETURN(Node low, ParseOperand());
  RETURN_IF_ERROR(Expect(Kind::kAnd));
  ASSIGN_OR_RETURN(Node high, ParseOperand());
  std::vector<Node> nodes;
  nodes.reserve(3);
  nodes.push_back(std::move(left));
  nodes.push_back(std::move(low));
  nodes.push_back(std::move(high));
  for (const Node& node : nodes) {
    RequireOperand(node);
  }
  CheckDistinct("BETWEEN", nodes);
  CheckOrdered("BETWEEN", nodes);
  CheckBounds(nodes[1], nodes[2]);
  Node node = BuildCall(Condition::Kind::kBetween, std::move(nodes));
  node.shape = Node::Shape::kCondition;
  return node;
}

Result<ConditionParser::Node> ConditionParser::ParseIn(Node left) {
  Advance();
  RETURN_IF_ERROR(CountOperator());
  RETURN_IF_ERROR(Expect(Kind::kOpen));
  std::vector<Node> nodes;
  RequireOperand(left);
  nodes.push_back(std::move(left));
  do {
    ASSIGN_OR_RETURN(Node candidate, ParseOperand());
    RequireOperand(candidate);
    nodes.push_back(std::move(candidate));
  } while (Accept(Kind::kComma));
  RETURN_IF_ERROR(Expect(Kind::kClose));
  if (nodes.size() - 1 > limits::kInOperands) {
    NoteOperand(StrCat("The IN operator is provided with too many operands; number of operands: ",
                       nodes.size() - 1));
  }
  CheckDistinct("IN", nodes);
  Node node = BuildCall(Condition::Kind::kIn, std::move(nodes));
  node.shape = Node::Shape::kCondition;
  return node;
}

Status ConditionParser::RequireCondition(const Node& node) {
  switch (node.shape) {
    case Node::Shape::kPath:
    case Node::Shape::kValue:
      return SyntaxError();
    case Node::Shape::kSize:
      NoteMisplaced(node);
      return OkStatus();
    default:
      return OkStatus();
  }
}

void ConditionParser::RequireOperand(const Node& node) {
  if (node.shape == Node::Shape::kCall) {
    NoteMisplaced(node);
  }
}

void ConditionParser::NoteMisplaced(const Node& node) {
  NoteAt(node.position, 1,
         StrCat("The function is not allowed to be used this way in an expression; function: ",
                node.function));
}

ConditionParser::Node ConditionParser::BuildSize(Node arg) {
  has_size_ = true;
  Node node;
  node.shape = Node::Shape::kSize;
  node.type = Type::kNumber;
  if (arg.shape == Node::Shape::kPath) {
    node.operand = Operand::SizeOf(std::move(arg.operand.path));
    return node;
  }
  if (arg.type == Type::kNumber || arg.type == Type::kBool || arg.type == Type::kNull) {
    NoteOperand(IncorrectOperandType("size", *arg.type));
  } else if (arg.operand.value) {
    // The size of a literal is a literal.
    node.operand = Operand::OfValue(Value::Integer(*SizeOf(arg.operand.value->view())));
  }
  return node;
}

ConditionParser::Node ConditionParser::BuildCall(Condition::Kind kind, std::vector<Node> args) {
  Node node;
  node.shape = Node::Shape::kCall;
  node.condition.kind = kind;
  node.condition.operands.reserve(args.size());
  for (Node& arg : args) {
    node.condition.operands.push_back(std::move(arg.operand));
  }
  return node;
}

void ConditionParser::CheckCall(Condition::Kind kind, std::string_view name,
                                const std::vector<Node>& args) {
  // attribute_type is documented to need one too, but takes any operand.
  const bool needs_path =
      kind == Condition::Kind::kAttributeExists || kind == Condition::Kind::kAttributeNotExists;
  if (needs_path && args[0].shape != Node::Shape::kPath) {
    NoteOperand(PathRequired(name));
  }
  CheckDistinct(name, args);
  if (kind == Condition::Kind::kAttributeType) {
    CheckTypeName(args[1]);
  } else if (kind == Condition::Kind::kBeginsWith) {
    for (const Node& arg : args) {
      if (arg.type && *arg.type != Type::kString && *arg.type != Type::kBinary) {
        NoteOperand(IncorrectOperandType(name, *arg.type));
      }
    }
  }
}

void ConditionParser::CheckTypeName(const Node& type_name) {
  if (!type_name.type) {
    // Also reached for an undefined value, but that is noted already.
    NoteOperand(
        "Incorrect operand type for operator or function; operator or function: attribute_type, "
        "operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
  } else if (*type_name.type != Type::kString) {
    NoteOperand(IncorrectOperandType("attribute_type", *type_name.type));
  } else if (const std::string_view name = type_name.operand.value->view().AsString();
             !TypeFromName(name)) {
    NoteOperand(StrCat("Invalid attribute type name found; type: ", name,
                       ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"));
  }
}

void ConditionParser::CheckDistinct(std::string_view name, const std::vector<Node>& nodes) {
  const Node& first = nodes.front();
  for (size_t i = 1; i < nodes.size() && first.shape == Node::Shape::kPath; ++i) {
    if (nodes[i].shape == Node::Shape::kPath && nodes[i].operand.path == first.operand.path) {
      NoteOperand(NotDistinct(name, first.operand.path));
    }
  }
}

void ConditionParser::CheckOrdered(std::string_view name, const std::vector<Node>& nodes) {
  for (const Node& node : nodes) {
    if (node.type && *node.type > Type::kBinary) {
      NoteOperand(IncorrectOperandType(name, *node.type));
    }
  }
}

void ConditionParser::CheckBounds(const Node& low, const Node& high) {
  if (low.shape != Node::Shape::kValue || high.shape != Node::Shape::kValue || !low.type ||
      !high.type) {
    return;
  }
  const bool same_type = *low.type == *high.type;
  if (same_type && low.operand.value->view().payload() <= high.operand.value->view().payload()) {
    return;
  }
  NoteOperand(StrCat(same_type ? "The BETWEEN operator requires upper bound to be greater than or "
                                 "equal to lower bound; lower bound operand: "
                               : "The BETWEEN operator requires same data type for lower and upper "
                                 "bounds; lower bound operand: ",
                     Describe(*low.operand.value),
                     ", upper bound operand: ", Describe(*high.operand.value)));
}

}  // namespace tintype::tables::internal
