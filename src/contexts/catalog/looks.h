#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/common/scan.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::catalog {

/// How an image looks: its perceptual hash, of which those of images that look alike differ in few
/// bits. It is that of the picture as it was uploaded, whatever edits have made of it.
struct Look {
  std::string image_id;
  std::string user_id;
  uint64_t hash = 0;
};

/// As attributes have it: 16 hexadecimal digits.
std::string HashText(uint64_t hash);
std::optional<uint64_t> HashFromText(std::string_view text);

/// In how many bits of 64 two hashes differ.
int HashDistance(uint64_t one, uint64_t other);

/// A hash is posted in this many bands of bits.
inline constexpr int kLookBands = 6;
/// How far apart two looks may be so that they are certain to be found. Were all bands apart by two
/// bits or more, it would be twelve: so within eleven there is one that is equal, or apart by a
/// single bit, and those are looked up.
inline constexpr int kLookDistanceMax = 2 * kLookBands - 1;
inline constexpr int kLookDistanceDefault = 10;

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
