#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "contexts/catalog/image.h"
#include "tables/language/values/value.h"

namespace tintype::contexts::catalog {

inline constexpr std::string_view kVersionPrefix = "VERSION#";

/// One state of the picture after the upload: `IMAGE#id / VERSION#n`. The number of an edit is
/// taken before there is a picture, so that of two edits at once each has its own; a revert is
/// there all at once.
struct ImageVersion {
  std::string image_id;
  int64_t revision = 0;
  std::string job_id;  // Empty for a revert.
  std::string created_at;
  bool completed = false;
  int64_t width = 0;  // These are known when it is completed.
  int64_t height = 0;
  int64_t file_size = 0;  // Of the picture in full size.
  std::string s3_key;
  Appearance appearance;  // Empty for what was completed before it was kept.

  /// The revision whose picture the operations were applied to, 0 being the upload; of a result
  /// that came from outside itself. Nothing for versions from before there were bases.
  std::optional<int64_t> base;
  /// All that was done to the base, as a JSON list. Nothing for results from outside and versions
  /// from before, which are bases themselves.
  std::optional<std::string> operations;
  /// The revision whose picture a revert shows, never itself one of a revert.
  std::optional<int64_t> reverted_to;

  /// The revision under which its pictures are stored.
  int64_t picture() const { return reverted_to.value_or(revision); }
};

tables::Item VersionKey(std::string_view id, int64_t revision);
tables::Item ToItem(const ImageVersion& version);
ImageVersion VersionFromItem(const tables::Item& item);

}  // namespace tintype::contexts::catalog
