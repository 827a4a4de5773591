#pragma once

#include <string_view>

#include "base/strings.h"
#include "contexts/common/item.h"

/// Keys of the table sparks, as the document has them.
namespace tintype::contexts::people {

inline constexpr std::string_view kPersonPrefix = "PERSON#";
inline constexpr std::string_view kUploadedByPrefix = "UPLOADED_BY#";

inline tables::Item KeyOfItem(std::string_view partition, std::string_view sort) {
  return ItemBuilder().Text("PK", partition).Text("SK", sort).Build();
}

inline tables::Item ImageKey(std::string_view id, std::string_view email) {
  return KeyOfItem(id, StrCat(kUploadedByPrefix, email));
}

}  // namespace tintype::contexts::people
