#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/language/schema.h"
#include "tables/language/values/value.h"

namespace tintype::tables::engine {

/// Builds an item of the `meta` column family. Every absent optional is an absent attribute.
class StoredWriter {
 public:
  void Put(std::string_view name, Value value) {
    entries_.emplace_back(std::string(name), std::move(value));
  }
  void Put(std::string_view name, int64_t number) { Put(name, Value::Integer(number)); }
  void Put(std::string_view name, const std::string& text) { Put(name, Value::String(text)); }
  void Put(std::string_view name, const std::optional<int64_t>& number) {
    if (number) {
      Put(name, *number);
    }
  }
  void Put(std::string_view name, const std::optional<Throughput>& throughput) {
    if (throughput) {
      Put(name, Value::List({Value::Integer(throughput->read_units),
                             Value::Integer(throughput->write_units)}));
    }
  }
  void Put(std::string_view name, const std::vector<std::string>& texts) {
    std::vector<Value> values;
    values.reserve(texts.size());
    for (const std::string& text : texts) {
      values.push_back(Value::String(text));
    }
    Put(name, Value::List(values));
  }
  Item Finish() { return Item::Of(std::move(entries_)); }

 private:
  std::vector<std::pair<std::string, Value>> entries_;
};

/// Reads such an item: attributes of expected types. Remembers whether one was missing or of
/// another type.
class StoredReader {
 public:
  explicit StoredReader(MapView map) : map_(map) {}

  std::optional<ValueView> Find(std::string_view name, Type type) {
    const std::optional<ValueView> value = map_.Find(name);
    if (value && value->type() != type) {
      damaged_ = true;
      return std::nullopt;
    }
    return value;
  }
  std::optional<int64_t> OptionalInteger(std::string_view name) {
    const std::optional<ValueView> value = Find(name, Type::kNumber);
    return value ? std::optional(ToInteger(*value)) : std::nullopt;
  }
  int64_t Integer(std::string_view name) {
    const std::optional<int64_t> number = OptionalInteger(name);
    damaged_ = damaged_ || !number;
    return number.value_or(0);
  }
  std::string Text(std::string_view name) {
    const std::optional<ValueView> value = Find(name, Type::kString);
    damaged_ = damaged_ || !value;
    return value ? std::string(value->AsString()) : std::string();
  }
  bool Flag(std::string_view name) {
    const std::optional<ValueView> value = Find(name, Type::kBool);
    return value && value->AsBool();
  }
  std::vector<std::string> Texts(std::string_view name) {
    std::vector<std::string> texts;
    for (const ValueView value : List(name)) {
      damaged_ = damaged_ || value.type() != Type::kString;
      texts.emplace_back(value.payload());
    }
    return texts;
  }
  std::vector<int64_t> Integers(std::string_view name) {
    std::vector<int64_t> numbers;
    for (const ValueView value : List(name)) {
      damaged_ = damaged_ || value.type() != Type::kNumber;
      numbers.push_back(value.type() == Type::kNumber ? ToInteger(value) : 0);
    }
    return numbers;
  }
  std::optional<Throughput> OptionalThroughput(std::string_view name) {
    if (!map_.Find(name)) {
      return std::nullopt;
    }
    const std::vector<int64_t> numbers = Integers(name);
    if (numbers.size() != 2) {
      damaged_ = true;
      return std::nullopt;
    }
    return Throughput{numbers[0], numbers[1]};
  }
  ListView List(std::string_view name) {
    const std::optional<ValueView> value = Find(name, Type::kList);
    damaged_ = damaged_ || !value;
    return value ? value->AsList() : ListView({});
  }
  template <typename Enum>
  Enum OneOf(std::string_view name, Enum last) {
    const int64_t number = Integer(name);
    if (number < 0 || number > static_cast<int64_t>(last)) {
      damaged_ = true;
      return last;
    }
    return static_cast<Enum>(number);
  }
  void MarkDamaged() { damaged_ = true; }
  bool damaged() const { return damaged_; }

 private:
  int64_t ToInteger(ValueView value) {
    try {
      return std::stoll(value.AsNumber().ToString());
    } catch (const std::exception&) {
      damaged_ = true;
      return 0;
    }
  }

  MapView map_;
  bool damaged_ = false;
};

}  // namespace tintype::tables::engine
