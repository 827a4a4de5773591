#include "tables/language/changes.h"

#include <algorithm>

namespace tintype::tables {

bool IsBefore(std::string_view position, std::string_view other) {
  const auto without_zeros = [](std::string_view number) {
    return number.substr(std::min(number.find_first_not_of('0'), number.size()));
  };
  position = without_zeros(position);
  other = without_zeros(other);
  return position.size() != other.size() ? position.size() < other.size() : position < other;
}

}  // namespace tintype::tables
