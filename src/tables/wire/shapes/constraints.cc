#include "tables/wire/internal/constraints.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "tables/language/limits.h"
#include "tables/wire/internal/patterns.h"
#include "tables/wire/internal/table_name.h"
#include "tables/wire/internal/violations.h"

namespace tintype::tables::wire {

namespace {

using Kind = Shape::Kind;

std::string LowerFirst(std::string_view name) {
  std::string text(name);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

/// A value as DynamoDB prints it in messages, which is how Java prints it.
std::string Describe(JsonElement value, const Shape& shape) {
  if (value.is_null()) {
    return "null";
  }
  std::string text;
  switch (shape.kind) {
    case Kind::kList:
      for (const JsonElement element : ArrayOf(value)) {
        StrAppend(text, text.empty() ? "" : ", ", Describe(element, *shape.element->shape));
      }
      return StrCat("[", text, "]");
    case Kind::kMap:
      for (const auto& [name, element] : ObjectOf(value)) {
        StrAppend(text, text.empty() ? "" : ", ", name, "=",
                  Describe(element, *shape.element->shape));
      }
      return StrCat("{", text, "}");
    case Kind::kStruct:
      for (const auto& [name, element] : ObjectOf(value)) {
        if (const Member* member = shape.Find(name)) {
          StrAppend(text, text.empty() ? "" : ", ", LowerFirst(name), "=",
                    Describe(element, *member->shape));
        }
      }
      return StrCat(shape.type_name, "(", text, ")");
    case Kind::kString:
    case Kind::kBlob:
      return std::string(TextOf(value));
    case Kind::kBoolean:
      return ToBool(value).value_or(false) ? "true" : "false";
    default:
      return StrCat(ToInteger(value));
  }
}

/// A step of the path to a value, on the stack of the walk; printed only when it is needed.
struct Step {
  const Step* parent = nullptr;
  std::string_view name;
};

std::string PrintPath(const Step& step, bool keep_capitals) {
  std::string text = step.parent == nullptr ? "" : PrintPath(*step.parent, keep_capitals);
  if (!text.empty()) {
    text.push_back('.');
  }
  return text + (keep_capitals ? std::string(step.name) : LowerFirst(step.name));
}

int64_t CountCharacters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

/// What `min` and `max` bound: a number's value, the length of all else.
int64_t Measure(JsonElement value, const Shape& shape, Pattern pattern) {
  switch (shape.kind) {
    case Kind::kInteger:
    case Kind::kLong:
      return ToInteger(value);
    case Kind::kList:
      return static_cast<int64_t>(ArrayOf(value).size());
    case Kind::kMap:
      return static_cast<int64_t>(ObjectOf(value).size());
    default: {
      const std::string_view text = TextOf(value);
      return CountCharacters(pattern == Pattern::kTableName ? TableNameOf(text) : text);
    }
  }
}

class ConstraintChecker {
 public:
  explicit ConstraintChecker(Violations& violations) : violations_(violations) {}

  void CheckStruct(const JsonObject& object, const Shape& shape, const Step* parent) {
    for (const Member& member : shape.members) {
      Check(object.Find(member.name), member, {parent, member.name});
    }
  }

  void Check(std::optional<JsonElement> value, const Member& member, const Step& step) {
    if (violations_.full()) {
      return;
    }
    if (!value || value->is_null()) {
      if (member.required) {
        violations_.Add("null", PrintPath(step, false), "Member must not be null");
      }
      return;
    }
    if (member.pattern != Pattern::kAny) {
      CheckPattern(*value, member, step);
    } else {
      CheckBounds(*value, member, step);
    }
    if (!member.one_of.empty()) {
      CheckOneOf(*value, member, step);
    }
    if (member.table_name_keys) {
      CheckTableNameKeys(*value, member, step);
    }
    if (member.map_values_max != kNoMaximum) {
      CheckMapValues(*value, member, step);
    }
    if (member.shape->constrained) {
      Descend(*value, *member.shape, step);
    }
  }

 private:
  void Add(JsonElement value, const Member& member, const Step& step, std::string_view constraint) {
    violations_.Add(member.terse ? "" : StrCat("'", Describe(value, *member.shape), "'"),
                    PrintPath(step, member.terse), constraint);
  }

  /// True if the value is within its bounds.
  bool CheckBounds(JsonElement value, const Member& member, const Step& step) {
    if (member.min == kNoMinimum && member.max == kNoMaximum) {
      return true;
    }
    const int64_t measure = Measure(value, *member.shape, member.pattern);
    const bool is_number =
        member.shape->kind == Kind::kInteger || member.shape->kind == Kind::kLong;
    const std::string_view what = is_number ? "value" : "length";
    if (measure < member.min) {
      Add(value, member, step,
          StrCat("Member must have ", what, " greater than or equal to ", member.min));
      return false;
    }
    if (measure > member.max) {
      Add(value, member, step,
          StrCat("Member must have ", what, " less than or equal to ", member.max));
      return false;
    }
    return true;
  }

  /// Of a name's faults DynamoDB reports only the first: an empty one does not match the pattern
  /// either, but only its length is complained about.
  void CheckPattern(JsonElement value, const Member& member, const Step& step) {
    if (!CheckBounds(value, member, step)) {
      return;
    }
    if (!Matches(TextOf(value), member.pattern)) {
      Add(value, member, step,
          StrCat("Member must satisfy regular expression pattern: ", PatternText(member.pattern)));
    }
  }

  void CheckOneOf(JsonElement value, const Member& member, const Step& step) {
    const std::string_view text = TextOf(value);
    if (std::find(member.one_of.begin(), member.one_of.end(), text) == member.one_of.end()) {
      Add(value, member, step,
          StrCat("Member must satisfy enum value set: [", StrJoin(member.one_of, ", "), "]"));
    }
  }

  void CheckTableNameKeys(JsonElement map, const Member& member, const Step& step) {
    for (const auto& [key, value] : ObjectOf(map)) {
      const std::string_view name = TableNameOf(key);
      if (!MatchesNamePattern(name) || name.size() > limits::kNameBytes) {
        Add(map, member, step,
            "Map keys must satisfy constraint: [Member must have length less than or equal to 255, "
            "Member must have length greater than or equal to 1, Member must satisfy regular "
            "expression pattern: [a-zA-Z0-9_.-]+]");
        return;
      }
    }
  }

  void CheckMapValues(JsonElement map, const Member& member, const Step& step) {
    for (const auto& [key, value] : ObjectOf(map)) {
      const int64_t length = value.is_array() ? static_cast<int64_t>(ArrayOf(value).size()) : 0;
      if (length < 1 || length > member.map_values_max) {
        Add(map, member, step,
            StrCat("Map value must satisfy constraint: [Member must have length less than or equal "
                   "to ",
                   member.map_values_max, ", Member must have length greater than or equal to 1]"));
        return;
      }
    }
  }

  void Descend(JsonElement value, const Shape& shape, const Step& step) {
    if (shape.kind == Kind::kStruct) {
      CheckStruct(JsonObject(value), shape, &step);
    } else if (shape.kind == Kind::kList) {
      size_t position = 0;
      for (const JsonElement element : ArrayOf(value)) {
        const std::string number = StrCat(++position);
        const Step at{&step, number};
        Check(element, *shape.element, {&at, "member"});
      }
    } else if (shape.kind == Kind::kMap) {
      for (const auto& [name, element] : ObjectOf(value)) {
        const Step at{&step, name};
        Check(element, *shape.element, {&at, "member"});
      }
    }
  }

  Violations& violations_;
};

/// DynamoDB looks at the table name before all other constraints, and reports it alone.
Status CheckTableName(const JsonObject& request, TableNameRule rule) {
  static constexpr Shape kText{.kind = Kind::kString};
  const auto name = request.Find("TableName");
  if (!name && rule != TableNameRule::kData) {
    return Error::Validation(
        "The parameter 'TableName' is required but was not present in the request");
  }
  const Member member{.name = "TableName",
                      .shape = &kText,
                      .required = true,
                      .min = rule == TableNameRule::kCreate ? int64_t{limits::kNameBytesMin} : 1,
                      .max = limits::kNameBytes,
                      .pattern = Pattern::kTableName};
  Violations violations;
  ConstraintChecker(violations).Check(name, member, {nullptr, member.name});
  RETURN_IF_ERROR(violations.ToStatus());
  return rule == TableNameRule::kData ? CheckTableNameLength(TextOf(*name)) : OkStatus();
}

}  // namespace

Status CheckConstraints(const JsonObject& object, const RequestShape& request) {
  if (request.table_name != TableNameRule::kNone) {
    RETURN_IF_ERROR(CheckTableName(object, request.table_name));
  }
  Violations violations;
  ConstraintChecker(violations).CheckStruct(object, request.shape, nullptr);
  return violations.ToStatus();
}

}  // namespace tintype::tables::wire
