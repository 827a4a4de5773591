#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

/// What the contract allows of texts, lists and numbers. The values are in `openapi.json` alone:
/// tools/contract.py makes a constant of each schema there that has a name and a limit, so that
/// `Title` is `limits::kTitle` here and `LIMITS.Title` on the page.
namespace tintype::limits {

/// The length of a text in characters, which are Unicode's code points.
struct TextLimit {
  size_t min = 0;
  size_t max = 0;
};

/// The number of elements in a list.
struct ListLimit {
  size_t min = 0;
  size_t max = 0;
};

struct NumberLimit {
  int64_t min = 0;
  int64_t max = 0;
  int64_t otherwise = 0;  // When none is given, if the contract says so.

  constexpr bool Allows(int64_t number) const { return min <= number && number <= max; }
};

/// A byte that is no part of valid UTF-8 counts as a character.
bool Allows(const TextLimit& limit, std::string_view text);

/// Fails with kValidation unless `text` is UTF-8 and as long as allowed. The message calls it
/// `name`.
Status CheckText(std::string_view name, std::string_view text, const TextLimit& limit);

}  // namespace tintype::limits

#include "contract/generated_limits.h"  // IWYU pragma: export
