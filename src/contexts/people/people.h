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
#include "contexts/people/upload_limit.h"
#include "tables/language/blocking_database.h"

/// Users, upload limits, who is in which image, the shared feed: the table sparks.
namespace tintype::contexts::people {

inline constexpr std::string_view kTable = "sparks";

struct User {
  std::string email;
  std::string username;  // What people see: the display name where there is one.
  std::optional<std::string> display_name = {};
  std::optional<std::string> profile_picture = {};
  std::optional<std::string> person_id = {};
  // Not in items from before there were these.
  std::optional<std::string> user_id = {};  // The account's.
  std::optional<int64_t> created_s = {};
  std::optional<std::string> modified_at = {};
};

/// What of a user's profile is to change. Absent fields stay as they are.
struct UserChange {
  std::optional<std::string> username = {};
  // A text that is nothing is taken away.
  std::optional<std::optional<std::string>> display_name = {};
  std::optional<std::optional<std::string>> about = {};
  std::optional<std::optional<std::string>> profile_picture = {};  // Its key.
};

struct UsersPage {
  std::vector<User> users;
  std::optional<tables::Item> last_evaluated_key;
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

  /// How many more images a user may upload, kUnlimited or more for any number; nothing when there
  /// is no such user.
  Result<std::optional<int64_t>> FindLimit(std::string_view email);
  /// The same for many, by their emails: in one call for every hundred. Those that have none are
  /// left out.
  Result<std::unordered_map<std::string, int64_t>> FindLimits(
      const std::vector<std::string>& emails);
  /// All users, by email. One that is just being written may be missing.
  Result<UsersPage> ListUsers(int64_t limit, const std::optional<tables::Item>& after);
  Result<std::optional<User>> FindUser(std::string_view email);
  /// Where a list goes on behind a user.
  static tables::Item PlaceOfUser(std::string_view email);
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

  /// Also writes `user_id` and `created_s` of `user`, which items from before there were these
  /// lack. Refused with kNotFound when there is no such user.
  static Piece ChangeUser(const User& user, const UserChange& change, std::string_view now);
  /// Removes the user, the limit, and what was granted. That they are gone already is fine.
  static Pieces RemoveUser(std::string_view email);

  // The limit is how many uploads are left, beside the images that are there and the uploads on
  // their way. Each of those gives one back when it goes, no matter what it once took: a limit that
  // is set anew counts from the moment on which it is set, and those that were there then come on
  // top as they go. So while a user has a limit, limit + images + uploads on their way changes by
  // setting the limit alone. A user without a limit takes nothing and gives nothing back.
  //
  // Whether there is a limit may change between two looks. So each of these has a counterpart for
  // the other case, which only checks that it is the other case; a flow commits one of the two
  // (flows/uploads/upload_limit.h).

  /// One upload less. Refused with kUploadLimitReached when none is left, and when there is no
  /// limit: IsRefusedAsUnlimited tells which.
  static Piece TakeFromLimit(std::string_view email);
  /// Refused with kLimitIsAnother when there is a limit.
  static Piece CheckUnlimited(std::string_view email);
  /// Whether an upload was refused because the user has no limit (any more).
  static bool IsRefusedAsUnlimited(const Error& error);

  /// One upload more. Refused with kLimitIsAnother when there is no limit to give it back to: the
  /// user has none, or somebody has removed the item, and so decided about it.
  static Piece GiveBackToLimit(std::string_view email);
  /// Refused with kLimitIsAnother when there is one.
  static Piece CheckNothingToGiveBackTo(std::string_view email);

  /// Sets how many uploads are left from now on, whatever it was; `now` is remembered as the time
  /// at which somebody decided it.
  static Piece SetLimit(std::string_view email, int64_t limit, std::string_view now);
  /// So many more than are left. Refused with kLimitIsAnother when there is no limit.
  static Piece AddToLimit(std::string_view email, int64_t more, std::string_view now);
  /// Takes away a limit that nobody has decided by the two above. Refused with kLimitIsAnother when
  /// somebody has.
  static Piece TakeAwayDefaultLimit(std::string_view email);

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
