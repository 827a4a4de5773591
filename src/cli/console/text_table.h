#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "base/strings.h"

namespace tintype::cli {

/// Rows in columns as wide as what is in them, each row with an end of line. The first one has the
/// titles. The last column is as long as it gets.
template <size_t kColumns>
std::string TextTable(const std::vector<std::array<std::string, kColumns>>& rows) {
  std::array<size_t, kColumns> widths{};
  for (const auto& row : rows) {
    for (size_t i = 0; i < kColumns; ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const auto& row : rows) {
    for (size_t i = 0; i + 1 < kColumns; ++i) {
      StrAppend(text, row[i], std::string(widths[i] - row[i].size() + 2, ' '));
    }
    StrAppend(text, row.back(), "\n");
  }
  return text;
}

}  // namespace tintype::cli
