#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "contexts/common/scan.h"
#include "contexts/common/tables.h"
#include "contexts/common/transaction.h"
#include "contexts/people/image.h"
#include "contexts/people/reasons.h"
#include "tables/language/blocking_database.h"

/// Users, upload limits, who is in which image, the shared feed: the table sparks.
namespace tintype::contexts::people {

inline constexpr std::string_view kTable = "sparks";
inline constexpr int64_t kDefaultLimit = 500;

struct User {
  std::string email;
  std::string username;
  std::optional<std::string> profile_picture;
  std::optional<std::string> person_id;
};

struct FeedPage {
  std::vector<SparksImage> images;
  std::optional<tables::Item> last_evaluated_key;
};

/// Owns the table sparks. Thread-safe; keeps nothing.
class People {
 public:
  explicit People(tables::Database& database) : database_(database) {}

  static ProductTable Table();

  /// How many more images a user may upload; nothing when there is no such user.
  Result<std::optional<int64_t>> FindLimit(std::string_view email);
  Result<std::optional<SparksImage>> FindImage(std::string_view id, std::string_view email);
  /// How images of one user are shared, by their ids: in one call for every hundred. Those that
  /// have no item are left out.
  Result<std::unordered_map<std::string, Sharing>> FindSharing(const std::vector<std::string>& ids,
                                                               std::string_view email);
  /// The images that images and taggings here are about. For commands that look at all.
  Result<OwnersPage> ListImageOwners(const std::optional<tables::Item>& after);
  /// All shared images, newest first.
  Result<FeedPage> Feed(int64_t limit, const std::optional<tables::Item>& after);

  /// The user and the limit that a user starts with. Refused with kInUse when there is one of this
  /// email.
  static Pieces AddUser(const User& user, int64_t limit);

  /// One upload less. Refused with kLimitExceeded when none is left.
  static Piece TakeFromLimit(std::string_view email);
  static Piece GiveBackToLimit(std::string_view email);

  static Piece AddImage(const SparksImage& image);
  // Refused with kNotFound when the image is gone.
  static Piece SetVariants(std::string_view id, std::string_view email, const Variants& variants);
  static Piece SetTags(std::string_view id, std::string_view email,
                       const std::vector<std::string>& tags, std::string_view now);
  /// Also takes an image out of the trash.
  static Piece SetVisibility(std::string_view id, std::string_view email, Visibility visibility,
                             std::string_view now);
  /// Remembers the visibility that it had.
  static Piece Trash(std::string_view id, std::string_view email, Visibility visibility,
                     std::string_view now);
  static Piece RemoveImage(std::string_view id, std::string_view email);

  /// The persons that are tagged in an image, to remove the taggings with it.
  Result<std::vector<std::string>> ListTaggings(std::string_view id);
  static Piece RemoveTagging(std::string_view id, std::string_view person_id);

 private:
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::people
