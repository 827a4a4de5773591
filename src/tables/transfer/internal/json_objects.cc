#include "tables/transfer/internal/json_objects.h"

#include <algorithm>

namespace tintype::tables::transfer {

std::string_view TakeObject(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r"), rest.size()));
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
      continue;
    }
    if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && depth > 0 && --depth == 0) {
      const std::string_view object = rest.substr(0, i + 1);
      rest.remove_prefix(i + 1);
      return object;
    }
  }
  const std::string_view all = rest;
  rest = {};
  return all;
}

}  // namespace tintype::tables::transfer
