// Keys: the bytes of several key attributes in a row sort as the attributes do, can be told apart
// and taken apart again, and the bounds that queries make of them hold. Nothing decodes keys in the
// engine (items carry their key attributes); a decoder here proves that the bytes would allow it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "input.h"
#include "tables/engine/storage/key_codec.h"

namespace tintype::tables::engine {
namespace {

using Tuple = std::vector<Value>;

std::string Encode(const Tuple& tuple) {
  std::string out;
  for (const Value& value : tuple) {
    AppendKeyComponent(out, value.view());
  }
  return out;
}

int Compare(const Value& a, const Value& b) {
  if (a.type() == Type::kNumber) {
    const auto order = a.view().AsNumber() <=> b.view().AsNumber();
    return order < 0 ? -1 : (order > 0 ? 1 : 0);
  }
  return a.view().AsString().compare(b.view().AsString());
}

int Compare(const Tuple& a, const Tuple& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (const int order = Compare(a[i], b[i]); order != 0) {
      return order;
    }
  }
  return 0;
}

// Takes one component off the front of any bytes, or says that there is none.
std::optional<Value> Decode(Type type, std::string_view& in) {
  if (type == Type::kNumber) {
    size_t size = in.starts_with('\x01') ? 1 : 2;
    if (size == 2) {
      const char end = in.starts_with('\x02') ? '\0' : '\xFF';
      while (size < in.size() && in[size] != end) {
        ++size;
      }
      ++size;
    }
    // The check of stored items knows what a number looks like.
    std::string item = {'\1', 'n', '\2', static_cast<char>(std::min<size_t>(size, 127))};
    item.append(in.substr(0, size));
    if (size > in.size() || !CheckEncodedItem(item).ok()) {
      return std::nullopt;
    }
    Value number = Value::OfNumber(Number::FromStored(in.substr(0, size)));
    in.remove_prefix(size);
    return number;
  }
  std::string text;
  for (size_t i = 0; i + 1 < in.size(); ++i) {
    if (in[i] != '\0') {
      text.push_back(in[i]);
    } else if (in[i + 1] == '\xFF') {
      text.push_back(in[i++]);
    } else if (in[i + 1] == '\x01') {
      in.remove_prefix(i + 2);
      return type == Type::kString ? Value::String(text) : Value::Binary(text);
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Tuple> DecodeAll(const std::vector<Type>& types, std::string_view in) {
  Tuple tuple;
  for (const Type type : types) {
    std::optional<Value> value = Decode(type, in);
    if (!value) {
      return std::nullopt;
    }
    tuple.push_back(std::move(*value));
  }
  return in.empty() ? std::optional(std::move(tuple)) : std::nullopt;
}

void CheckPrefix(const Tuple& a, const Tuple& b) {
  // What begins_with reads: from the prefix to its successor.
  const ValueView prefix = a.front().view();
  const ValueView value = b.front().view();
  if (prefix.type() == Type::kNumber) {
    return;
  }
  std::string from(1, '\1');
  AppendKeyComponentPrefix(from, prefix.AsString());
  const std::string to = PrefixSuccessor(from);
  std::string key(1, '\1');
  AppendKeyComponent(key, value);
  CHECK((from <= key && key < to) == value.AsString().starts_with(prefix.AsString()));
}

void CheckPair(const std::vector<Type>& types, const Tuple& a, const Tuple& b) {
  const std::string key_a = Encode(a);
  const std::string key_b = Encode(b);
  const int order = Compare(a, b);
  CHECK((key_a.compare(key_b) <=> 0) == (order <=> 0));
  CHECK(order == 0 || (!key_a.starts_with(key_b) && !key_b.starts_with(key_a)));
  std::string inverted_a = key_a;
  std::string inverted_b = key_b;
  InvertBytes(inverted_a, 0);
  InvertBytes(inverted_b, 0);
  CHECK((inverted_a.compare(inverted_b) <=> 0) == (0 <=> order));
  CHECK(order != 0 || PartitionHash(key_a) == PartitionHash(key_b));
  CHECK(DecodeAll(types, key_a) == a);
  CheckPrefix(a, b);
}

// Arbitrary bytes are a key of at most one tuple.
void CheckBytes(const std::vector<Type>& types, std::string_view bytes) {
  if (const std::optional<Tuple> tuple = DecodeAll(types, bytes)) {
    CHECK(Encode(*tuple) == bytes);
  }
}

void CheckPrefixSuccessor(const std::string& prefix, const std::string& other) {
  const std::string successor = PrefixSuccessor('\1' + prefix);
  CHECK(('\1' + prefix) < successor);
  const std::string key = '\1' + other;
  CHECK((key < successor) == (other.starts_with(prefix) || key < '\1' + prefix));
}

}  // namespace
}  // namespace tintype::tables::engine

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tintype::tables;
  tintype::fuzz::Input input(data, size);
  std::vector<Type> types;
  engine::Tuple a;
  engine::Tuple b;
  for (int count = input.Byte() % 4; count >= 0; --count) {
    const auto type = static_cast<Type>(input.Byte() % 3 + 1);
    types.push_back(type);
    for (engine::Tuple* tuple : {&a, &b}) {
      if (type == Type::kNumber) {
        tuple->push_back(Value::OfNumber(tintype::fuzz::MakeNumber(input)));
      } else {
        const std::string_view text = input.Bytes(input.Byte() % 16);
        tuple->push_back(type == Type::kString ? Value::String(text) : Value::Binary(text));
      }
    }
  }
  engine::CheckPair(types, a, b);
  const std::string prefix(input.Bytes(input.Byte() % 16));
  const std::string rest(input.Rest());
  engine::CheckPrefixSuccessor(prefix, rest);
  engine::CheckBytes(types, rest);
  return 0;
}
