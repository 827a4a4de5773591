#include "cli/command_line/guess.h"

#include <algorithm>
#include <cstddef>

namespace tintype::cli {
namespace {

/// No command or flag is as long, and comparing takes the product of both lengths.
constexpr size_t kTypedMax = 64;

/// How many letters have to be inserted, removed, replaced or swapped with their neighbour to make
/// one word of the other.
size_t Distance(std::string_view from, std::string_view to) {
  // Three rows of the usual table: the one that is being filled, and the two before it.
  std::vector<size_t> before(to.size() + 1);
  std::vector<size_t> last(to.size() + 1);
  std::vector<size_t> row(to.size() + 1);
  for (size_t j = 0; j <= to.size(); ++j) {
    row[j] = j;
  }
  for (size_t i = 1; i <= from.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (size_t j = 1; j <= to.size(); ++j) {
      const size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[to.size()];
}

}  // namespace

std::optional<std::string> GuessWord(std::string_view typed,
                                     const std::vector<std::string>& known) {
  if (typed.size() > kTypedMax) {
    return std::nullopt;
  }
  const std::string* closest = nullptr;
  size_t shortest = std::max<size_t>(typed.size() / 3, 1) + 1;
  for (const std::string& word : known) {
    // A word of two letters is as close to any other.
    const size_t distance = Distance(typed, word);
    if (distance < shortest && distance < word.size() - 1) {
      shortest = distance;
      closest = &word;
    }
  }
  if (closest != nullptr) {
    return *closest;
  }
  const auto begins = [&](const std::string& word) { return word.starts_with(typed); };
  const auto first = std::ranges::find_if(known, begins);
  if (typed.empty() || first == known.end() ||
      std::find_if(first + 1, known.end(), begins) != known.end()) {
    return std::nullopt;
  }
  return *first;
}

}  // namespace tintype::cli
