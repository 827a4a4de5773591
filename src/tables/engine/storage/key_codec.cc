#include "tables/engine/storage/key_codec.h"

namespace tintype::tables::engine {

void AppendKeyComponentPrefix(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    out.push_back(c);
    if (c == '\0') {
      out.push_back('\xFF');
    }
  }
}

void AppendKeyComponent(std::string& out, ValueView value) {
  if (value.type() == Type::kNumber) {
    // The stored form of a number sorts and delimits itself.
    out.append(value.payload());
    return;
  }
  CHECK(value.type() == Type::kString || value.type() == Type::kBinary);
  AppendKeyComponentPrefix(out, value.payload());
  out.push_back('\0');
  out.push_back('\x01');
}

void InvertBytes(std::string& key, size_t from) {
  for (size_t i = from; i < key.size(); ++i) {
    key[i] = static_cast<char>(~key[i]);
  }
}

void AppendKeyPrefix(std::string& out, TableId table, IndexId index) {
  AppendBigEndian32(out, table);
  AppendBigEndian16(out, index);
}

uint16_t PartitionHash(std::string_view components) {
  // FNV-1a, then folded by a multiplication whose high bits depend on every input bit.
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : components) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3;
  }
  hash ^= hash >> 32;
  return static_cast<uint16_t>((hash * 0x9E3779B97F4A7C15) >> 48);
}

std::string PrefixSuccessor(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xFF') {
    prefix.pop_back();
  }
  CHECK(!prefix.empty());
  prefix.back() = static_cast<char>(static_cast<uint8_t>(prefix.back()) + 1);
  return prefix;
}

}  // namespace tintype::tables::engine
