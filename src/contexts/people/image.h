#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/language/values/value.h"

namespace tintype::contexts::people {

/// Who may see an image: its `entityType` says so, and with it whether the feed shows it.
enum class Visibility { kPrivate, kShared };
/// `private` or `shared`.
std::string_view NameOf(Visibility visibility);

/// How an image is shared.
struct Sharing {
  Visibility visibility = Visibility::kPrivate;
  bool trashed = false;
};

/// Processed variants as the document has them: paths, and when they were made.
struct Variants {
  std::string large;
  std::string medium;
  std::string processed_at;
};

/// One image of the table sparks.
struct SparksImage {
  std::string id;
  std::string uploaded_by;  // The email.
  std::string uploaded_at;  // ISO 8601.
  std::string modified_at;
  std::string s3_key;
  std::optional<Variants> variants;
  std::vector<std::string> persons;
  std::vector<std::string> tags;
  Visibility visibility = Visibility::kPrivate;
  bool trashed = false;
  /// The attribute `visibility`, which `entityType` overrules while the image is not in the trash.
  std::optional<std::string> stated_visibility = {};

  Sharing sharing() const { return {visibility, trashed}; }
};

}  // namespace tintype::contexts::people
