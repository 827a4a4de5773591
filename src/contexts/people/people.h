#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/common/scan.h"
#include "contexts/common/tables.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

/// Users, upload limits, who is in which image, the shared feed: the table sparks.
namespace tintype::contexts::people {

inline constexpr std::string_view kTable = "sparks";
inline constexpr int64_t kDefaultLimit = 500;

/// The user has no uploads left.
inline constexpr Reason kUploadLimitReached{ErrorKind::kLimitExceeded, "UploadLimitReached"};

/// Who may see an image: its `entityType` says so, and with it whether the feed shows it.
enum class Visibility { kPrivate, kShared };
/// `private` or `shared`.
std::string_view NameOf(Visibility visibility);

struct User {
  std::string email;
  std::string username;
  std::optional<std::string> profile_picture;
  std::optional<std::string> person_id;
};

/// Processed variants as the document has them: paths, and when they were made.
struct Variants {
  std::string large;
  std::string medium;
  std::string processed_at;
};

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
