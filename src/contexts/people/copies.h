#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contexts/common/transaction.h"
#include "tables/language/values/value.h"

/// What the table sparks copies from elsewhere, for those who bring it in line again.
namespace tintype::contexts::people {

/// What an item of the table is about, by its key.
struct ItemSubject {
  enum class Kind { kImage, kTagging, kOther };
  Kind kind = Kind::kOther;
  std::string image_id = {};
};
ItemSubject SubjectOf(const tables::Item& key);

/// Sets both copies of an image: tags are the catalog's, persons those of its taggings. Refused
/// with kNotFound when the image is gone.
Piece SetTagsAndPersons(std::string_view id, std::string_view email,
                        const std::vector<std::string>& tags,
                        const std::vector<std::string>& persons, std::string_view now);

}  // namespace tintype::contexts::people
