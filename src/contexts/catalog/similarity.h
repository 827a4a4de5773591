#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/catalog/image_hash.h"
#include "contexts/common/scan.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::catalog {

/// An image that looks like another.
struct SimilarHash {
  std::string image_id;
  int distance = 0;
};

struct SimilarHashes {
  /// The nearest first.
  std::vector<SimilarHash> images;
  /// False when there was so much to look through that it was given up; `images` has what was
  /// found.
  bool complete = true;
};

/// Which images of a user look alike, without looking at all of them: in the table tintype, an item
/// `LOOK#image` for every image that has a hash, and for every band of it a posting
/// `LOOKBAND#user#band#bits / image`. Thread-safe; keeps nothing.
class SimilarityIndex {
 public:
  explicit SimilarityIndex(tables::Database& database) : database_(database) {}

  Result<std::optional<ImageHash>> Find(std::string_view image_id);
  /// The user's other images within a distance, of at most kSimilarDistanceMax.
  Result<SimilarHashes> FindSimilar(const ImageHash& image, int distance);
  /// Whether all of its items are there.
  Result<bool> IsPosted(const ImageHash& image);
  /// The images that hashes and postings are about. For commands that look at all.
  Result<OwnersPage> ListOwners(const std::optional<tables::Item>& after);

  // Pieces, for whoever has made sure that the image is there. Postings that both have stay.
  static Pieces Put(const ImageHash& image, const std::optional<ImageHash>& before);
  static Pieces Remove(const ImageHash& image);

 private:
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::catalog
