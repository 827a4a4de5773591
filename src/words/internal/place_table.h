#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tintype::words::internal {

/// Names of places, sorted by their bytes, one behind the other. tools/place_names.py makes it.
struct PlaceTable {
  std::string_view names;
  /// Twice where each begins, plus one for a country; and where the last ends.
  std::span<const uint32_t> offsets;
  /// In how many languages, beside the standard's own names.
  int languages = 0;

  size_t size() const { return offsets.size() - 1; }
  std::string_view Name(size_t index) const {
    const size_t begin = offsets[index] / 2;
    return names.substr(begin, offsets[index + 1] / 2 - begin);
  }
  bool IsCountry(size_t index) const { return offsets[index] % 2 == 1; }
};

PlaceTable Places();

}  // namespace tintype::words::internal
