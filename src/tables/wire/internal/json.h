#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace tintype::tables::wire {

using JsonElement = simdjson::dom::element;
using JsonArray = simdjson::dom::array;
using JsonType = simdjson::dom::element_type;

// The value of an element whose type is known. They return copies of simdjson's small handles: what
// its own accessors return refers into a temporary.
inline std::string_view TextOf(JsonElement element) { return element.get_string().value_unsafe(); }
inline JsonArray ArrayOf(JsonElement element) { return element.get_array().value_unsafe(); }
inline simdjson::dom::object ObjectOf(JsonElement element) {
  return element.get_object().value_unsafe();
}

/// A JSON object with typed access to its members. A view: valid until this thread parses the next
/// body. To DynamoDB a member that is null is a member that is not there, so it is here.
class JsonObject {
 public:
  JsonObject() = default;
  explicit JsonObject(simdjson::dom::object object) : object_(object) {}
  /// REQUIRES: `element` is an object.
  explicit JsonObject(JsonElement element) : object_(ObjectOf(element)) {}

  std::optional<JsonElement> Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name).has_value(); }

  // The typed accessors REQUIRE that the member, if it is there, has that type (shape.h checks it).
  std::optional<std::string_view> String(std::string_view name) const;
  std::optional<int64_t> Integer(std::string_view name) const;
  std::optional<bool> Bool(std::string_view name) const;
  /// In milliseconds.
  std::optional<int64_t> TimeMs(std::string_view name) const;
  std::optional<JsonObject> Object(std::string_view name) const;
  std::optional<JsonArray> Array(std::string_view name) const;

  // The same for members that the request's shape requires. REQUIRES: the member is there.
  std::string_view RequiredString(std::string_view name) const { return String(name).value(); }
  int64_t RequiredInteger(std::string_view name) const { return Integer(name).value(); }
  JsonObject RequiredObject(std::string_view name) const { return Object(name).value(); }
  JsonArray RequiredArray(std::string_view name) const { return Array(name).value(); }

  size_t size() const { return object_.size(); }
  simdjson::dom::object::iterator begin() const { return object_.begin(); }
  simdjson::dom::object::iterator end() const { return object_.end(); }

 private:
  simdjson::dom::object object_;
};

/// Parses a request body, which must be one JSON object in valid UTF-8. Anything else is a
/// SerializationException, without a message, as DynamoDB answers it.
Result<JsonObject> ParseJson(std::string_view body);

/// DynamoDB takes whole and fractional numbers for its integers and drops the fraction.
/// REQUIRES: `element` is a number.
int64_t ToInteger(JsonElement element);

/// Seconds since 1970 with a fraction, which is how DynamoDB has times, as milliseconds. Nothing if
/// it is not a number, or further away than any date.
std::optional<int64_t> ToTimeMs(JsonElement element);

/// DynamoDB takes the strings true, yes, 1, false, no and 0, in any case, for its booleans.
std::optional<bool> ToBool(JsonElement element);

}  // namespace tintype::tables::wire
