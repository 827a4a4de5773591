#include "tables/wire/internal/attribute_value.h"

#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tables/language/faults.h"
#include "tables/language/limits.h"
#include "tables/wire/internal/base64.h"

namespace tintype::tables::wire {

namespace {

constexpr std::string_view kInvalidValues = "One or more parameter values were invalid: ";

/// Set members in the order and spelling of the request: [a, b, a].
std::string ListMembers(JsonArray members) {
  std::string text;
  for (const JsonElement member : members) {
    StrAppend(text, text.empty() ? "" : ", ", member.is_null() ? "null" : TextOf(member));
  }
  return StrCat("[", text, "]");
}

Error EmptySet(Type set_type) {
  switch (set_type) {
    case Type::kStringSet:
      return Error::Validation(StrCat(kInvalidValues, "An string set  may not be empty"));
    case Type::kNumberSet:
      return {reasons::kInvalidNumber, StrCat(kInvalidValues, "An number set  may not be empty")};
    default:
      return Error::Validation(StrCat(kInvalidValues, "Binary sets should not be empty"));
  }
}

Error DuplicateMembers(Type set_type, JsonArray members) {
  switch (set_type) {
    case Type::kStringSet:
      return {reasons::kDuplicateMembers, StrCat(kInvalidValues, "Input collection ",
                                                 ListMembers(members), " contains duplicates.")};
    case Type::kNumberSet:
      return {reasons::kDuplicateMembers, "Input collection contains duplicates"};
    default:
      // There is no space before "of" in DynamoDB's message either.
      return {reasons::kDuplicateMembers,
              StrCat(kInvalidValues, "Input collection ", ListMembers(members),
                     "of type BS contains duplicates.")};
  }
}

Status WriteSet(Type set_type, JsonArray json, ValueWriter& writer) {
  std::vector<std::string> members;
  members.reserve(json.size());
  for (const JsonElement member : json) {
    if (member.is_null()) {
      return Error::Validation(StrCat(kInvalidValues, "An ", TypeName(set_type),
                                      " may not have a null value as a member"));
    }
    if (set_type == Type::kNumberSet) {
      ASSIGN_OR_RETURN(const Number number, Number::Parse(TextOf(member)));
      members.push_back(number.ToStored());
    } else if (set_type == Type::kBinarySet) {
      members.push_back(DecodeBase64(TextOf(member)));
    } else {
      members.emplace_back(TextOf(member));
    }
  }
  if (members.empty()) {
    return EmptySet(set_type);
  }
  if (!writer.Set(set_type, std::move(members)).ok()) {
    return DuplicateMembers(set_type, json);
  }
  return OkStatus();
}

Status WriteValue(JsonElement json, int level, ValueWriter& writer);

Status WriteTyped(Type type, JsonElement json, int level, ValueWriter& writer) {
  switch (type) {
    case Type::kString:
      writer.String(TextOf(json));
      return OkStatus();
    case Type::kNumber: {
      ASSIGN_OR_RETURN(const Number number, Number::Parse(TextOf(json)));
      writer.OfNumber(number);
      return OkStatus();
    }
    case Type::kBinary:
      writer.Binary(DecodeBase64(TextOf(json)));
      return OkStatus();
    case Type::kBool:
      writer.Bool(ToBool(json).value_or(false));
      return OkStatus();
    case Type::kNull:
      if (!ToBool(json).value_or(false)) {
        return Error::Validation(
            StrCat(kInvalidValues, "Null attribute value types must have the value of true"));
      }
      writer.Null();
      return OkStatus();
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      return WriteSet(type, ArrayOf(json), writer);
    case Type::kList:
      writer.OpenList();
      for (const JsonElement member : ArrayOf(json)) {
        RETURN_IF_ERROR(WriteValue(member, level + 1, writer));
      }
      writer.CloseList();
      return OkStatus();
    case Type::kMap:
      writer.OpenMap();
      for (const auto& [name, member] : ObjectOf(json)) {
        RETURN_IF_ERROR(CheckAttributeName(name));
        writer.Name(name);
        RETURN_IF_ERROR(WriteValue(member, level + 1, writer));
      }
      writer.CloseMap();
      return OkStatus();
  }
  return OkStatus();
}

Status WriteValue(JsonElement json, int level, ValueWriter& writer) {
  if (level > limits::kNestingLevels) {
    return Error(reasons::kNestedTooDeep,
                 "Nesting Levels have exceeded supported limits: Attributes in the item have "
                 "nested levels beyond supported limit");
  }
  size_t types = 0;
  if (json.is_object()) {
    for (const auto& [name, member] : ObjectOf(json)) {
      const auto type = TypeFromName(name);
      if (!type || member.is_null()) {
        continue;
      }
      if (++types > 1) {
        return Error(reasons::kAmbiguousValue,
                     "Supplied AttributeValue has more than one datatypes set, must contain "
                     "exactly one of the supported datatypes");
      }
      RETURN_IF_ERROR(WriteTyped(*type, member, level, writer));
    }
  }
  if (types == 0) {
    return Error(
        reasons::kAmbiguousValue,
        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  }
  return OkStatus();
}

}  // namespace

Status CheckAttributeName(std::string_view name) {
  if (name.empty()) {
    return Error::Validation(StrCat(kInvalidValues, "Empty attribute name"));
  }
  if (name.size() > limits::kAttributeNameBytes) {
    return Error::Validation(
        StrCat(kInvalidValues, "Attribute name is too large, must be less than 65536 bytes"));
  }
  return OkStatus();
}

Result<Value> DecodeValue(JsonElement json) {
  std::string encoded;
  ValueWriter writer(encoded);
  RETURN_IF_ERROR(WriteValue(json, 1, writer));
  return Value::Copy(ValueView(encoded));
}

Result<std::vector<Value>> DecodeValues(JsonArray json) {
  std::vector<Value> values;
  values.reserve(json.size());
  for (const JsonElement element : json) {
    ASSIGN_OR_RETURN(Value value, DecodeValue(element));
    values.push_back(std::move(value));
  }
  return values;
}

Result<Item> DecodeItem(const JsonObject& json) {
  std::string payload;
  ValueWriter writer(payload);
  writer.OpenItem();
  for (const auto& [name, member] : json) {
    RETURN_IF_ERROR(CheckAttributeName(name));
    writer.Name(name);
    RETURN_IF_ERROR(WriteValue(member, 1, writer));
  }
  writer.CloseItem();
  return Item(std::move(payload));
}

}  // namespace tintype::tables::wire
