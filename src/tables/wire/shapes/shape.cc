#include "tables/wire/internal/shape.h"

#include <cmath>

#include "base/strings.h"
#include "tables/language/errors.h"
#include "tables/wire/internal/base64.h"
#include "tables/wire/internal/constraints.h"

namespace tintype::tables::wire {

namespace {

using Kind = Shape::Kind;

/// Where a value stands decides the words when its type is wrong.
enum class Position { kField, kElement };

bool IsScalar(Kind kind) {
  return kind != Kind::kList && kind != Kind::kMap && kind != Kind::kStruct;
}

std::string_view ScalarName(Kind kind) {
  switch (kind) {
    case Kind::kBoolean:
      return "Boolean";
    case Kind::kInteger:
      return "Integer";
    case Kind::kLong:
      return "Long";
    case Kind::kTimestamp:
      return "Date";
    default:
      return "String";
  }
}

/// The Java type behind a shape; DynamoDB's messages show it.
std::string JavaType(const Shape& shape) {
  switch (shape.kind) {
    case Kind::kBlob:
      return "java.nio.ByteBuffer";
    case Kind::kTimestamp:
      return "java.util.Date";
    case Kind::kStruct:
      return StrCat("com.amazonaws.dynamodb.v20120810.", shape.type_name);
    case Kind::kList:
      return StrCat("java.util.List<", JavaType(*shape.element->shape), ">");
    case Kind::kMap:
      return StrCat("java.util.Map<java.lang.String, ", JavaType(*shape.element->shape), ">");
    default:
      return StrCat("java.lang.", ScalarName(shape.kind));
  }
}

std::string_view TokenName(JsonElement value) {
  switch (value.type()) {
    case JsonType::BOOL:
      return value.get_bool().value_unsafe() ? "TRUE_VALUE" : "FALSE_VALUE";
    case JsonType::STRING:
      return "STRING_VALUE";
    case JsonType::DOUBLE: {
      const double number = value.get_double().value_unsafe();
      return std::floor(number) == number ? "NUMBER_VALUE" : "DECIMAL_VALUE";
    }
    default:
      return "NUMBER_VALUE";
  }
}

Error WrongType(JsonElement value, const Shape& shape, Position position) {
  if (value.is_array()) {
    return tables::SerializationError(StrCat("Unrecognized collection type ",
                                             shape.kind == Kind::kMap ? "" : "class ",
                                             JavaType(shape)));
  }
  if (value.is_object()) {
    return tables::SerializationError("Start of structure or map found where not expected");
  }
  if (!IsScalar(shape.kind)) {
    if (position == Position::kField) {
      return tables::SerializationError("Unexpected field type");
    }
    if (shape.kind == Kind::kStruct) {
      return tables::SerializationError("Unexpected value type in payload");
    }
    return tables::SerializationError(
        "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to "
        "class "
        "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
        "java.lang.Class are in module java.base of loader 'bootstrap')");
  }
  if (shape.kind == Kind::kBlob) {
    return tables::SerializationError("only base-64-encoded strings are convertible to bytes");
  }
  if (shape.kind == Kind::kBoolean && value.is_string()) {
    return tables::SerializationError("Unexpected token received from parser");
  }
  return tables::SerializationError(
      StrCat(TokenName(value), " cannot be converted to ", ScalarName(shape.kind)));
}

Status CheckTypesAt(JsonElement value, const Shape& shape, Position position) {
  if (value.is_null()) {
    return OkStatus();
  }
  bool matches = false;
  switch (shape.kind) {
    case Kind::kString:
      matches = value.is_string();
      break;
    case Kind::kBoolean:
      matches = ToBool(value).has_value();
      break;
    case Kind::kInteger:
    case Kind::kLong:
      matches = value.is_number();
      break;
    case Kind::kTimestamp:
      matches = ToTimeMs(value).has_value();
      break;
    case Kind::kBlob:
      if (value.is_string()) {
        return CheckBase64(TextOf(value));
      }
      break;
    case Kind::kList:
      matches = value.is_array();
      if (matches) {
        for (const JsonElement element : ArrayOf(value)) {
          RETURN_IF_ERROR(CheckTypesAt(element, *shape.element->shape, Position::kElement));
        }
      }
      break;
    case Kind::kMap:
      matches = value.is_object();
      if (matches) {
        for (const auto& [name, element] : ObjectOf(value)) {
          RETURN_IF_ERROR(CheckTypesAt(element, *shape.element->shape, Position::kElement));
        }
      }
      break;
    case Kind::kStruct:
      matches = value.is_object();
      if (matches) {
        // Members that the model does not know are ignored, whatever they hold.
        for (const auto& [name, element] : ObjectOf(value)) {
          if (const Member* member = shape.Find(name)) {
            RETURN_IF_ERROR(CheckTypesAt(element, *member->shape, Position::kField));
          }
        }
      }
      break;
  }
  if (!matches) {
    return WrongType(value, shape, position);
  }
  return OkStatus();
}

}  // namespace

const Member* Shape::Find(std::string_view name) const {
  for (const Member& member : members) {
    if (member.name == name) {
      return &member;
    }
  }
  return nullptr;
}

Status CheckTypes(JsonElement value, const Shape& shape) {
  return CheckTypesAt(value, shape, Position::kField);
}

Result<JsonObject> ReadRequest(std::string_view body, const RequestShape& request) {
  ASSIGN_OR_RETURN(const JsonObject object, ParseJson(body));
  for (const auto& [name, element] : object) {
    if (const Member* member = request.shape.Find(name)) {
      RETURN_IF_ERROR(CheckTypesAt(element, *member->shape, Position::kField));
    }
  }
  RETURN_IF_ERROR(CheckConstraints(object, request));
  return object;
}

}  // namespace tintype::tables::wire
