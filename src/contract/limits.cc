#include "contract/limits.h"

#include "base/json_text.h"
#include "base/strings.h"

namespace tintype::limits {

bool Allows(const TextLimit& limit, std::string_view text) {
  const size_t characters = CountCharacters(text);
  return limit.min <= characters && characters <= limit.max;
}

Status CheckText(std::string_view name, std::string_view text, const TextLimit& limit) {
  if (ValidUtf8(text) != text) {
    return Error::Validation(StrCat("`", name, "` is not UTF-8."));
  }
  if (Allows(limit, text)) {
    return OkStatus();
  }
  if (text.empty()) {
    return Error::Validation(StrCat("`", name, "` is empty."));
  }
  const size_t characters = CountCharacters(text);
  return Error::Validation(
      characters > limit.max
          ? StrCat("`", name, "` has ", characters, " characters; the limit is ", limit.max, ".")
          : StrCat("`", name, "` has to have at least ", limit.min, " characters."));
}

}  // namespace tintype::limits
