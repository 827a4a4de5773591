#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "tables/language/expressions/expressions.h"
#include "tables/language/values/value.h"

/// For tests only: values and items in a short notation, so that tables of cases stay readable.
///   'text'  -1.5  b'bytes'  true  null  ['list', 2]  {a: 'map'}  <'set', 'of', 'strings'>
namespace tintype::tables::internal {

class TestValueReader {
 public:
  explicit TestValueReader(std::string_view text) : rest_(text) {}

  Value ReadValue() {
    SkipSpaces();
    switch (rest_.front()) {
      case '\'':
        return Value::String(ReadQuoted());
      case '[':
        return Value::List(ReadMembers('[', ']'));
      case '<':
        return ReadSet();
      case '{':
        return Value::Map(ReadItem());
      case 't':
      case 'f':
        return Value::Bool(ReadWord() == "true");
      case 'n':
        ReadWord();
        return Value::Null();
      case 'b':
        rest_.remove_prefix(1);
        return Value::Binary(ReadQuoted());
      default:
        return Value::OfNumber(Number::Parse(ReadWord()).value());
    }
  }

  Item ReadItem() {
    std::vector<std::pair<std::string, Value>> entries;
    Take('{');
    while (!TryTake('}')) {
      std::string name(ReadWord());
      Take(':');
      entries.emplace_back(std::move(name), ReadValue());
      TryTake(',');
    }
    return Item::Of(std::move(entries));
  }

 private:
  void SkipSpaces() {
    while (rest_.starts_with(' ')) {
      rest_.remove_prefix(1);
    }
  }
  bool TryTake(char c) {
    SkipSpaces();
    if (!rest_.starts_with(c)) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }
  void Take(char c) { CHECK(TryTake(c)); }
  std::string_view ReadUntil(std::string_view ends) {
    const size_t size = std::min(rest_.find_first_of(ends), rest_.size());
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }
  std::string_view ReadWord() {
    SkipSpaces();
    return ReadUntil(" :,]}>");
  }
  std::string_view ReadQuoted() {
    Take('\'');
    const std::string_view text = ReadUntil("'");
    rest_.remove_prefix(1);
    return text;
  }
  std::vector<Value> ReadMembers(char open, char close) {
    std::vector<Value> members;
    Take(open);
    while (!TryTake(close)) {
      members.push_back(ReadValue());
      TryTake(',');
    }
    return members;
  }
  Value ReadSet() {
    const std::vector<Value> members = ReadMembers('<', '>');
    std::vector<std::string> payloads;
    payloads.reserve(members.size());
    for (const Value& member : members) {
      payloads.emplace_back(member.view().payload());
    }
    const auto type = static_cast<Type>(static_cast<uint8_t>(members.front().type()) + 3);
    return Value::Set(type, std::move(payloads)).value();
  }

  std::string_view rest_;
};

inline Value TestValue(std::string_view text) { return TestValueReader(text).ReadValue(); }
inline Item TestItem(std::string_view text) { return TestValueReader(text).ReadItem(); }

/// The notation of a value, to show in failures.
inline std::string ToTestText(ValueView value) {
  std::string out;
  const auto separate = [&out] { out += out.size() > 1 ? ", " : ""; };
  switch (value.type()) {
    case Type::kString:
      return "'" + std::string(value.AsString()) + "'";
    case Type::kBinary:
      return "b'" + std::string(value.AsString()) + "'";
    case Type::kNumber:
      return value.AsNumber().ToString();
    case Type::kBool:
      return value.AsBool() ? "true" : "false";
    case Type::kNull:
      return "null";
    case Type::kList:
      out = "[";
      for (const ValueView member : value.AsList()) {
        separate();
        out += ToTestText(member);
      }
      return out + "]";
    case Type::kMap:
      out = "{";
      for (const auto& [name, member] : value.AsMap()) {
        separate();
        out += std::string(name) + ": " + ToTestText(member);
      }
      return out + "}";
    default:
      out = "<";
      for (const std::string_view member : value.AsSet()) {
        separate();
        out += value.type() == Type::kNumberSet ? Number::FromStored(member).ToString()
                                                : "'" + std::string(member) + "'";
      }
      return out + ">";
  }
}
inline std::string ToTestText(const Item& item) { return ToTestText(Value::Map(item).view()); }

/// Placeholders from a map in the same notation, with `$` for the colon: `{#n: 'name', $v: 1}`.
inline Placeholders TestPlaceholders(std::string_view text) {
  std::map<std::string, std::string, std::less<>> names;
  std::map<std::string, Value, std::less<>> values;
  const Item item = TestItem(text);
  for (const auto& [name, value] : item.view()) {
    if (name.starts_with('#')) {
      names.emplace(name, value.AsString());
    } else {
      values.emplace(":" + std::string(name.substr(1)), Value::Copy(value));
    }
  }
  return Placeholders(std::move(names), std::move(values));
}

/// The error's message, or "ok".
template <typename T>
std::string Outcome(const Result<T>& result) {
  return result.ok() ? "ok" : result.error().message();
}

}  // namespace tintype::tables::internal
