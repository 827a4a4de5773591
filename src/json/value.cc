#include "json/value.h"

#include <simdjson.h>

#include "base/strings.h"

namespace tintype::json {
namespace {

using simdjson::dom::element_type;

Value ToValue(simdjson::dom::element element) {
  switch (element.type()) {
    case element_type::ARRAY: {
      const simdjson::dom::array array = element.get_array().value_unsafe();
      Value::Array members;
      for (const simdjson::dom::element member : array) {
        members.push_back(ToValue(member));
      }
      return Value(std::move(members));
    }
    case element_type::OBJECT: {
      const simdjson::dom::object object = element.get_object().value_unsafe();
      Value::Object members;
      for (const auto& [name, member] : object) {
        members.emplace_back(name, ToValue(member));
      }
      return Value(std::move(members));
    }
    case element_type::INT64:
      return Value(element.get_int64().value_unsafe());
    case element_type::UINT64:  // Larger than any int64_t.
      return Value(static_cast<double>(element.get_uint64().value_unsafe()));
    case element_type::DOUBLE:
      return Value(element.get_double().value_unsafe());
    case element_type::STRING:
      return Value(std::string(std::string_view(element.get_string().value_unsafe())));
    case element_type::BOOL:
      return Value(element.get_bool().value_unsafe());
    case element_type::NULL_VALUE:
      break;
  }
  return Value(nullptr);
}

}  // namespace

std::optional<bool> Value::boolean() const {
  const bool* value = std::get_if<bool>(&content_);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<int64_t> Value::integer() const {
  const int64_t* value = std::get_if<int64_t>(&content_);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<double> Value::number() const {
  if (const int64_t* whole = std::get_if<int64_t>(&content_)) {
    return static_cast<double>(*whole);
  }
  const double* value = std::get_if<double>(&content_);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

const Value* Value::Find(std::string_view name) const {
  const Object* members = object();
  if (members == nullptr) {
    return nullptr;
  }
  for (auto member = members->rbegin(); member != members->rend(); ++member) {
    if (member->first == name) {
      return &member->second;
    }
  }
  return nullptr;
}

Result<Value> Parse(std::string_view text, size_t bytes_max) {
  if (text.size() > bytes_max) {
    return Error::Validation(StrCat("The JSON is longer than ", bytes_max, " bytes."));
  }
  simdjson::dom::parser parser;
  // Copies into a buffer with the padding that the parser needs.
  simdjson::error_code error = parser.allocate(text.size() + 1, kDepthMax);
  simdjson::dom::element root;
  if (!error) {
    error = parser.parse(text.data(), text.size(), true).get(root);
  }
  if (error) {
    return Error::Validation(StrCat("This is not JSON: ", simdjson::error_message(error)));
  }
  return ToValue(root);
}

}  // namespace tintype::json
