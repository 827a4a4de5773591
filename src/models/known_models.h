#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tintype::models {

/// A file that analysis needs beside the program, as tools/models.txt has it.
struct KnownModel {
  std::string_view name;
  int64_t bytes = 0;
  std::string_view sha256;  // In hexadecimal.
  std::string_view set;     // The first that has it: "quick" or "full".
  std::string_view package;
  std::string_view licence;
  std::string_view text;  // What it is.
};

/// All of them. The list is compiled in.
const std::vector<KnownModel>& KnownModels();
/// Null when there is none of that name.
const KnownModel* FindKnownModel(std::string_view name);

}  // namespace tintype::models
