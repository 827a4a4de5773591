#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tintype::contexts::catalog {

/// What a person changes about an image. Absent: stays as it is. An inner nothing: is removed.
struct DetailsChange {
  std::optional<std::optional<std::string>> title;
  std::optional<std::optional<std::string>> description;
  std::optional<std::optional<std::string>> alt_text;
  std::optional<std::vector<std::string>> tags;
  std::optional<std::optional<std::string>> album_id;

  bool empty() const { return !title && !description && !alt_text && !tags && !album_id; }
};

/// Fails with kValidation when a text or a list is longer than allowed, a text is not UTF-8, or a
/// tag is there twice; the message names it.
Status CheckDetails(const DetailsChange& change);

}  // namespace tintype::contexts::catalog
