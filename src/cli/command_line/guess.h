#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tintype::cli {

/// The word of `known` that somebody who typed `typed` probably meant: the closest one, if no more
/// than a third of the letters are missing, added, wrong or swapped with their neighbour; else the
/// only one that begins with what was typed. Nothing when no word is like it.
std::optional<std::string> GuessWord(std::string_view typed, const std::vector<std::string>& known);

}  // namespace tintype::cli
