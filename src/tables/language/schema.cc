#include "tables/language/schema.h"

#include <algorithm>

#include "tables/language/requests.h"

namespace tintype::tables {

std::vector<std::string> KeySchema::All() const {
  std::vector<std::string> all = hash;
  all.insert(all.end(), range.begin(), range.end());
  return all;
}

bool KeySchema::Contains(std::string_view attribute) const {
  return std::find(hash.begin(), hash.end(), attribute) != hash.end() ||
         std::find(range.begin(), range.end(), attribute) != range.end();
}

std::string_view ProjectionTypeName(IndexProjection::Kind kind) {
  switch (kind) {
    case IndexProjection::Kind::kAll:
      return "ALL";
    case IndexProjection::Kind::kKeysOnly:
      return "KEYS_ONLY";
    case IndexProjection::Kind::kInclude:
      break;
  }
  return "INCLUDE";
}

double ConsumedCapacity::Total() const {
  double total = table_units.total();
  for (const auto* indexes : {&local_indexes, &global_indexes}) {
    for (const auto& [name, units] : *indexes) {
      total += units.total();
    }
  }
  return total;
}

}  // namespace tintype::tables
