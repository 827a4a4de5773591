#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"

/// Numbers as bytes with the most significant one first, so that they sort as numbers do.
namespace tintype {

inline void AppendBigEndian16(std::string& out, uint16_t number) {
  out.push_back(static_cast<char>(number >> 8));
  out.push_back(static_cast<char>(number));
}

inline void AppendBigEndian32(std::string& out, uint32_t number) {
  AppendBigEndian16(out, static_cast<uint16_t>(number >> 16));
  AppendBigEndian16(out, static_cast<uint16_t>(number));
}

inline void AppendBigEndian64(std::string& out, uint64_t number) {
  AppendBigEndian32(out, static_cast<uint32_t>(number >> 32));
  AppendBigEndian32(out, static_cast<uint32_t>(number));
}

/// REQUIRES: `in` has at least four bytes.
inline uint32_t ReadBigEndian32(std::string_view in) {
  CHECK(in.size() >= 4);
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) {
    number = number << 8 | static_cast<uint8_t>(in[i]);
  }
  return number;
}

/// REQUIRES: `in` has at least eight bytes.
inline uint64_t ReadBigEndian64(std::string_view in) {
  CHECK(in.size() >= 8);
  uint64_t number = 0;
  for (size_t i = 0; i < 8; ++i) {
    number = number << 8 | static_cast<uint8_t>(in[i]);
  }
  return number;
}

}  // namespace tintype
