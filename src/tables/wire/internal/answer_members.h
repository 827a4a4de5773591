#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "tables/language/schema.h"
#include "tables/wire/internal/answer.h"

/// What answers about tables and about streams have in common, as a client reads it.
namespace tintype::tables::wire {

template <typename Enum, size_t kCount>
using Names = std::array<std::pair<std::string_view, Enum>, kCount>;

inline constexpr Names<StreamView, 4> kStreamViews = {
    {{"KEYS_ONLY", StreamView::kKeysOnly},
     {"NEW_IMAGE", StreamView::kNewImage},
     {"OLD_IMAGE", StreamView::kOldImage},
     {"NEW_AND_OLD_IMAGES", StreamView::kNewAndOldImages}}};

/// The value that a member names; `otherwise` when it is not there. A name that is not in the table
/// is a fault: guessing could make a table look ready that is not.
template <typename Enum, size_t kCount>
Enum ReadName(const AnswerObject& json, std::string_view member, const Names<Enum, kCount>& names,
              Enum otherwise) {
  const auto text = json.Text(member);
  if (!text) {
    return otherwise;
  }
  for (const auto& [name, value] : names) {
    if (*text == name) {
      return value;
    }
  }
  json.Fail(StrCat(member, " is ", *text, ", which is not known"));
  return otherwise;
}

inline KeySchema ReadKeySchema(const AnswerObject& json) {
  KeySchema keys;
  for (const AnswerObject& key : json.Objects("KeySchema")) {
    const bool is_range = key.Text("KeyType") == "RANGE";
    (is_range ? keys.range : keys.hash).push_back(key.Text("AttributeName").value_or(""));
  }
  return keys;
}

}  // namespace tintype::tables::wire
