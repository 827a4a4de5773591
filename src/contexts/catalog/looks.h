#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/catalog/look.h"
#include "contexts/common/scan.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::catalog {

/// An image that looks like another.
struct SimilarLook {
  std::string image_id;
  int distance = 0;
};

struct SimilarLooks {
  /// The nearest first.
  std::vector<SimilarLook> looks;
  /// False when there was so much to look through that it was given up; what was found is there.
  bool complete = true;
};

/// Which images of a user look alike, without looking at all of them: in the table tintype, an item
/// `LOOK#image` for every image that has a look, and for every band of it a posting
/// `LOOKBAND#user#band#bits / image`. Thread-safe; keeps nothing.
class Looks {
 public:
  explicit Looks(tables::Database& database) : database_(database) {}

  Result<std::optional<Look>> Find(std::string_view image_id);
  /// The user's other images within a distance, of at most kLookDistanceMax.
  Result<SimilarLooks> FindSimilar(const Look& look, int distance);
  /// Whether all of its items are there.
  Result<bool> IsPosted(const Look& look);
  /// The images that looks and postings are about. For commands that look at all.
  Result<OwnersPage> ListOwners(const std::optional<tables::Item>& after);

  // Pieces, for whoever has made sure that the image is there. Postings that both have stay.
  static Pieces Put(const Look& look, const std::optional<Look>& before);
  static Pieces Remove(const Look& look);

 private:
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::catalog
