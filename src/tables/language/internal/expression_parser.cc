#include "tables/language/internal/expression_parser.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/numbers.h"
#include "base/strings.h"
#include "tables/language/limits.h"

namespace tintype::tables::internal {

using Kind = Token::Kind;

Status ExpressionParser::CheckText(std::string_view label, std::string_view text,
                                   const Placeholders& placeholders) {
  RETURN_IF_ERROR(placeholders.CheckKeys());
  if (text.empty()) {
    return Error::Validation(StrCat("Invalid ", label, ": The expression can not be empty;"));
  }
  if (text.size() > limits::kExpressionBytes) {
    return Error::Validation(StrCat(
        "Invalid ", label,
        ": Expression size has exceeded the maximum allowed size; expression size: ", text.size()));
  }
  return OkStatus();
}

bool ExpressionParser::Accept(Kind wanted) {
  if (!At(wanted)) {
    return false;
  }
  Advance();
  return true;
}

Status ExpressionParser::Expect(Kind wanted) {
  return Accept(wanted) ? OkStatus() : Status(SyntaxError());
}

Error ExpressionParser::Invalid(std::string_view message) const {
  return Error::Validation(StrCat("Invalid ", label_, ": ", message));
}

void ExpressionParser::Note(Walk walk, int64_t order, std::string message) {
  if (!mistake_ || std::tie(walk, order) < std::tie(mistake_->walk, mistake_->order)) {
    mistake_ = Mistake{walk, order, std::move(message)};
  }
}

Status ExpressionParser::Outcome() const {
  return mistake_ ? Status(Invalid(mistake_->message)) : OkStatus();
}

Status ExpressionParser::CountOperator() {
  if (++operators_ > limits::kExpressionOperators) {
    // DynamoDB stops counting here too, however many operators follow.
    return Invalid(
        StrCat("The expression contains too many operators; operator count: ", operators_));
  }
  return OkStatus();
}

bool ExpressionParser::Nesting::too_deep() const {
  return parser_.depth_ > limits::kExpressionOperators + 1;
}

Result<Path> ExpressionParser::ParsePath(Walk walk) {
  Path path;
  const auto at_name = [this] { return At(Kind::kIdentifier) || At(Kind::kNamePlaceholder); };
  if (!at_name()) {
    return SyntaxError();
  }
  TakeName(walk, path);
  for (;;) {
    if (Accept(Kind::kDot)) {
      if (!at_name()) {
        return SyntaxError();
      }
      TakeName(walk, path);
    } else if (Accept(Kind::kOpenBracket)) {
      RETURN_IF_ERROR(ParseIndex(path));
    } else {
      break;
    }
  }
  if (path.steps.size() > static_cast<size_t>(limits::kNestingLevels)) {
    NoteOperand(StrCat("The document path has too many nesting levels; nesting levels: ",
                       path.steps.size()));
  }
  return path;
}

void ExpressionParser::TakeName(Walk walk, Path& path) {
  const std::string_view name = text();
  if (At(Kind::kIdentifier)) {
    if (IsReservedWord(name)) {
      NoteAt(position(), 0,
             StrCat("Attribute name is a reserved keyword; reserved keyword: ", name));
    }
    path.steps.push_back(PathStep::Name(std::string(name)));
  } else if (const std::string* replacement = placeholders_.UseName(name)) {
    path.steps.push_back(PathStep::Name(*replacement));
  } else {
    Note(walk, walk == Walk::kWrittenPaths ? 0 : order_,
         StrCat("An expression attribute name used in the document path is not defined; attribute "
                "name: ",
                name));
    path.steps.push_back(PathStep::Name(std::string(name)));
  }
  Advance();
}

Status ExpressionParser::ParseIndex(Path& path) {
  const std::string_view digits = text();
  const size_t at = position();
  RETURN_IF_ERROR(Expect(Kind::kInteger));
  RETURN_IF_ERROR(Expect(Kind::kCloseBracket));
  const std::optional<int32_t> index = ParseInteger<int32_t>(digits);
  if (!index) {
    NoteAt(at, 0, StrCat("List index is not within the allowable range; index: [", digits, ']'));
  }
  path.steps.push_back(PathStep::Index(static_cast<uint32_t>(index.value_or(0))));
  return OkStatus();
}

const Value* ExpressionParser::TakeValue() {
  const std::string_view name = text();
  const Value* value = placeholders_.UseValue(name);
  if (value == nullptr) {
    NoteOperand(
        StrCat("An expression attribute value used in expression is not defined; attribute value: ",
               name));
  } else {
    value_bytes_ += value->encoded().size();
    if (value_bytes_ > limits::kExpressionValueUseBytes) {
      NoteOperand(StrCat("The expression uses values of more than ",
                         limits::kExpressionValueUseBytes, " bytes"));
      value = nullptr;
    }
  }
  Advance();
  return value;
}

namespace {

// An order in which paths that share a beginning stand together, those that go on by index first.
bool SortsBefore(const Path* a, const Path* b) {
  return std::lexicographical_compare(
      a->steps.begin(), a->steps.end(), b->steps.begin(), b->steps.end(),
      [](const PathStep& x, const PathStep& y) {
        return std::make_tuple(!x.is_index, x.index, std::string_view(x.name)) <
               std::make_tuple(!y.is_index, y.index, std::string_view(y.name));
      });
}

}  // namespace

std::optional<std::string> DescribeOverlap(const std::vector<const Path*>& paths) {
  // If any two paths clash, then so do some that are neighbours in order.
  std::vector<const Path*> sorted = paths;
  std::sort(sorted.begin(), sorted.end(), SortsBefore);
  const auto clash = std::adjacent_find(
      sorted.begin(), sorted.end(),
      [](const Path* a, const Path* b) { return Relate(*a, *b) != PathRelation::kDisjoint; });
  if (clash == sorted.end()) {
    return std::nullopt;
  }
  // Of several, DynamoDB names the one written last.
  for (size_t second = paths.size(); second-- > 0;) {
    for (size_t first = 0; first < second; ++first) {
      const PathRelation relation = Relate(*paths[first], *paths[second]);
      if (relation != PathRelation::kDisjoint) {
        return StrCat("Two document paths ",
                      relation == PathRelation::kOverlap ? "overlap" : "conflict",
                      " with each other; must remove or rewrite one of these paths; path one: ",
                      paths[first]->ToString(), ", path two: ", paths[second]->ToString());
      }
    }
  }
  return std::nullopt;
}

std::string IncorrectOperandType(std::string_view function, Type type) {
  return StrCat("Incorrect operand type for operator or function; operator or function: ", function,
                ", operand type: ", TypeName(type));
}

std::string IncorrectOperandCount(std::string_view function, size_t count) {
  return StrCat("Incorrect number of operands for operator or function; operator or function: ",
                function, ", number of operands: ", count);
}

std::string PathRequired(std::string_view function) {
  return StrCat("Operator or function requires a document path; operator or function: ", function);
}

std::string NotDistinct(std::string_view function, const Path& first) {
  return StrCat(
      "The first operand must be distinct from the remaining operands for this operator or "
      "function; operator: ",
      function, ", first operand: ", first.ToString());
}

}  // namespace tintype::tables::internal
