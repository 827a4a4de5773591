#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/language/limits.h"
#include "tables/language/values/value.h"

/// What the fuzz targets share: ways to make something structured out of a fuzzer's bytes.
namespace tintype::fuzz {

/// Takes a fuzzer's input apart from front to back. When it is used up it goes on with zeros, so
/// that every input means something.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  bool empty() const { return rest_.empty(); }
  uint8_t Byte() {
    if (rest_.empty()) {
      return 0;
    }
    const auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  /// Up to the next line feed, which is dropped.
  std::string_view Line() {
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }
  std::string_view Bytes(size_t count) {
    const std::string_view bytes = rest_.substr(0, count);
    rest_.remove_prefix(bytes.size());
    return bytes;
  }
  std::string_view Rest() { return std::exchange(rest_, {}); }

 private:
  std::string_view rest_;
};

/// Some number, often one with few digits, sometimes one at the limits.
inline tables::Number MakeNumber(Input& input) {
  const uint8_t choice = input.Byte();
  if (choice < 128) {
    return tables::Number(static_cast<int64_t>(choice) - 64);
  }
  const std::string text = std::string(choice % 2 == 0 ? "-" : "") + std::to_string(input.Byte()) +
                           std::to_string(input.Byte()) + "e" +
                           std::to_string(static_cast<int8_t>(input.Byte()));
  const Result<tables::Number> number = tables::Number::Parse(text);
  return number.ok() ? *number : tables::Number(choice);
}

/// One of a few names, so that paths in expressions meet what is in items.
inline std::string MakeName(Input& input) { return std::string(1, "abcdefgh"[input.Byte() % 8]); }

/// Any value, nested as deep as `levels` allows.
inline tables::Value MakeValue(Input& input, int levels) {
  using tables::Type;
  using tables::Value;
  const uint8_t choice = input.Byte();
  const auto text = [&] { return std::string(input.Bytes(input.Byte() % 8)); };
  switch (static_cast<Type>(choice % 10 + 1)) {
    case Type::kString:
      return Value::String(text());
    case Type::kBinary:
      return Value::Binary(text());
    case Type::kNumber:
      return Value::OfNumber(MakeNumber(input));
    case Type::kBool:
      return Value::Bool(choice >= 128);
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet: {
      const auto type = static_cast<Type>(choice % 10 + 1);
      std::vector<std::string> members;
      for (int count = input.Byte() % 5; count >= 0; --count) {
        members.push_back(type == Type::kNumberSet ? MakeNumber(input).ToStored() : text());
      }
      std::sort(members.begin(), members.end());
      members.erase(std::unique(members.begin(), members.end()), members.end());
      return Value::Set(type, std::move(members)).value();
    }
    case Type::kList:
    case Type::kMap: {
      std::vector<Value> list;
      std::vector<std::pair<std::string, Value>> entries;
      for (int count = levels > 1 ? input.Byte() % 5 : 0; count > 0; --count) {
        std::string name = MakeName(input);
        list.push_back(MakeValue(input, levels - 1));
        entries.emplace_back(std::move(name), list.back());
      }
      return choice % 10 + 1 == static_cast<int>(Type::kList)
                 ? Value::List(list)
                 : Value::Map(tables::Item::Of(std::move(entries)));
    }
    default:
      return Value::Null();
  }
}

inline tables::Item MakeItem(Input& input) {
  std::vector<std::pair<std::string, tables::Value>> entries;
  while (!input.empty() && entries.size() < 16) {
    std::string name = MakeName(input);
    entries.emplace_back(std::move(name), MakeValue(input, tables::limits::kNestingLevels));
  }
  return tables::Item::Of(std::move(entries));
}

}  // namespace tintype::fuzz
