#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

/// JSON that people and programs send us, outside of DynamoDB's protocol, which has its own reader.
namespace tintype::json {

/// A JSON value, owned. A plain value; thread-safe as a string is.
class Value {
 public:
  using Array = std::vector<Value>;
  /// In the order of the text; of members of the same name the last one counts.
  using Object = std::vector<std::pair<std::string, Value>>;
  using Content = std::variant<std::nullptr_t, bool, int64_t, double, std::string, Array, Object>;

  Value() = default;
  explicit Value(Content content) : content_(std::move(content)) {}

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(content_); }
  bool is_object() const { return object() != nullptr; }

  // Null, or nothing, when it is of another type.
  const std::string* text() const { return std::get_if<std::string>(&content_); }
  const Array* array() const { return std::get_if<Array>(&content_); }
  const Object* object() const { return std::get_if<Object>(&content_); }
  std::optional<bool> boolean() const;
  std::optional<int64_t> integer() const;
  /// Whole numbers too.
  std::optional<double> number() const;

  /// The member of that name; null when there is none, or this is no object.
  const Value* Find(std::string_view name) const;

 private:
  Content content_ = nullptr;
};

/// Parses one JSON text in valid UTF-8. Errors: kValidation, for what is not JSON, is longer than
/// `bytes_max` or nests deeper than `kDepthMax`.
inline constexpr size_t kDepthMax = 32;
Result<Value> Parse(std::string_view text, size_t bytes_max);

}  // namespace tintype::json
