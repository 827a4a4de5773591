#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "contexts/catalog/details.h"
#include "contexts/catalog/image.h"
#include "contexts/catalog/image_version.h"
#include "contexts/catalog/reasons.h"
#include "contexts/common/scan.h"
#include "contexts/common/tables.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

/// The image record, albums, tags, versions: the table ImageMetadata, and postings of tags and of
/// the trash and tombstones in the table tintype.
namespace tintype::contexts::catalog {

inline constexpr std::string_view kTable = "ImageMetadata";

/// Which of an image's tags have postings: the first different ones, as many and as long as the
/// contract allows. Others, who write the table themselves, know no such limits.
std::vector<std::string> PostedTags(const std::vector<std::string>& tags);

/// What developing found out about an original and made of it.
struct Development {
  int64_t width = 0;
  int64_t height = 0;
  int64_t processed_size = 0;
  std::string format;
  int64_t quality = 0;
  Exif exif;
  AssetMedia media;
  Appearance appearance;
  std::optional<uint64_t> perceptual_hash;
  std::optional<ProcessingWarning> warning;
  /// What these were found out about, when that may have changed since: the picture's revision.
  std::optional<int64_t> seen_revision;
};

struct ImagePage {
  std::vector<Image> images;
  std::optional<tables::Item> last_evaluated_key;
};

/// Says that an image of a user has a tag.
struct TagPosting {
  std::string user_id;
  std::string tag;
  std::string image_id;
};

struct TagPostingsPage {
  std::vector<TagPosting> postings;
  std::optional<tables::Item> last_evaluated_key;
};

/// One image in the trash of a user: `TRASH#{userId} / {trashedAt}#{id}` in the table tintype.
struct TrashPosting {
  std::string user_id;
  std::string image_id;
  std::string trashed_at;
  int64_t deletes_ms = 0;  // When the work that deletes it is due.
};
struct TrashPage {
  std::vector<TrashPosting> postings;
  std::optional<tables::Item> last_evaluated_key;
};

/// Owns ImageMetadata: it alone builds the requests that touch it. Thread-safe; keeps nothing.
/// Which image is whose is checked in the pieces, where it cannot change any more.
class Catalog {
 public:
  explicit Catalog(tables::Database& database) : database_(database) {}

  static ProductTable Table();

  /// Trashed images too: the caller decides.
  Result<std::optional<Image>> Find(std::string_view id);
  /// The same for many, by their ids: in one call for every hundred. Those that are not there are
  /// left out.
  Result<std::unordered_map<std::string, Image>> FindAll(const std::vector<std::string>& ids);
  /// A user's images, newest first, without those in the trash.
  Result<ImagePage> ListOfUser(std::string_view user_id, int64_t limit,
                               const std::optional<tables::Item>& after);

  /// Every image there is, trashed ones too, in no particular order. For commands that look at all.
  /// With a limit, a page is of so many items of the table, of which some are no images.
  Result<ImagePage> ListAll(const std::optional<tables::Item>& after,
                            std::optional<int64_t> limit = std::nullopt);
  /// The images that versions are about, and the postings of tags. For commands that look at all.
  Result<OwnersPage> ListVersionOwners(const std::optional<tables::Item>& after);
  Result<TagPostingsPage> ListPostings(const std::optional<tables::Item>& after);
  /// Whether the posting of a tag of this image is there.
  Result<bool> HasPosting(const Image& image, const std::string& tag);

  // Pieces. Those that a person asks for are refused with kNotFound when the image is gone or is
  // another's, and with kConditionFailed when it is not in the version that was seen.
  static Piece Add(const Image& image);
  static Piece Change(const Image& seen, const DetailsChange& change, std::string_view now);
  static Piece Trash(const Image& seen, std::string_view now);
  static Piece Restore(const Image& seen, std::string_view now);
  /// When a temporary image expires, in seconds since 1970; nothing makes it a lasting one.
  static Piece SetExpiry(const Image& seen, const std::optional<int64_t>& ttl,
                         std::string_view now);
  /// Makes the picture of `revision` the current one.
  static Piece Revise(const Image& seen, const Image& revised, std::string_view now);
  /// Changes nothing; refused as those above when the image is in another version than was seen.
  static Piece CheckUnchanged(const Image& seen);
  /// Changes nothing; refused with kNotFound when there is no such image.
  static Piece CheckPresent(std::string_view id);
  /// Takes a number, for a job or with all there is to say. Refused with kInUse when it is taken.
  static Piece AddVersion(const ImageVersion& version);
  /// Refused with kNotFound when the number is not this job's.
  static Piece CompleteVersion(const ImageVersion& version);

  // Pieces of background steps, which do not raise the version. Refused with kNotFound when the
  // image is gone.
  static Piece StartProcessing(std::string_view id, std::string_view now);
  /// Also refused with kNotFound when the picture is in another revision than was seen.
  static Piece FinishProcessing(std::string_view id, const Development& development,
                                std::string_view now);
  static Piece FailProcessing(std::string_view id, std::string_view error, std::string_view now);
  /// A developed video or sound can be played from there now. `warning` is the only one that the
  /// image has afterwards: why it cannot be played, or what else is wrong with it.
  static Piece SetPlayback(std::string_view id, Playback playback,
                           const std::optional<ProcessingWarning>& warning, std::string_view now);

  /// Postings say which images of a user have a tag (PostedTags): one goes with each tag that goes,
  /// one comes with each that comes.
  static Pieces MovePostings(const Image& image, const std::vector<std::string>& tags);
  // One posting each, whether it is there or not.
  static Piece AddPosting(const Image& image, const std::string& tag);
  static Piece RemovePosting(const Image& image, const std::string& tag);

  // The trash: trash.cc.
  /// What a user has in the trash, what came last first.
  Result<TrashPage> ListTrash(std::string_view user_id, int64_t limit,
                              const std::optional<tables::Item>& after);
  /// What came into it no later than `until`, what came first before the others; goes on behind
  /// `after`, the SK of a posting, unless that is empty.
  Result<TrashPage> ListTrashUntil(std::string_view user_id, std::string_view until, int64_t limit,
                                   std::string_view after);
  /// Everybody's. For commands that look at all.
  Result<TrashPage> ListAllTrash(const std::optional<tables::Item>& after);
  Result<std::optional<TrashPosting>> FindTrashPosting(const Image& image);
  /// Posts an image as one that will be deleted at that time, or moves the time of its posting.
  /// Nothing for an image that is not in the trash, or whose texts, which others wrote, make no
  /// key.
  static Pieces PostTrash(const Image& image, int64_t deletes_ms);
  /// Removes its posting, whether it is there or not.
  static Pieces UnpostTrash(const Image& image);

  /// Says that an image was deleted, for good. Refused with kInUse when that has been said, so that
  /// what goes with it happens once.
  static Piece AddTombstone(std::string_view id, std::string_view now);

  /// Removes the record, whatever its state, if it is there.
  static Piece Remove(std::string_view id);
  Result<std::vector<ImageVersion>> ListVersions(std::string_view id);
  static Piece RemoveVersion(std::string_view id, int64_t revision);

 private:
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::catalog
