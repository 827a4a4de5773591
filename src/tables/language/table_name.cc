#include "tables/language/table_name.h"

#include <algorithm>

namespace tintype::tables {

std::string_view TableNameOf(std::string_view name_or_arn) {
  if (!name_or_arn.starts_with("arn:")) {
    return name_or_arn;
  }
  // Partition, service, region and account lie between the first five colons.
  std::string_view rest = name_or_arn;
  for (int part = 0; part < 5; ++part) {
    const size_t colon = rest.find(':');
    if (colon == std::string_view::npos) {
      return name_or_arn;
    }
    if (part == 2 && rest.substr(0, colon) != "dynamodb") {
      return name_or_arn;
    }
    rest.remove_prefix(colon + 1);
  }
  constexpr std::string_view kTable = "table/";
  if (!rest.starts_with(kTable)) {
    return name_or_arn;
  }
  rest.remove_prefix(kTable.size());
  return MatchesNamePattern(rest) ? rest : name_or_arn;
}

bool MatchesNamePattern(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

}  // namespace tintype::tables
