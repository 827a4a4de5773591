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
#include "contexts/intake/upload.h"
#include "tables/language/blocking_database.h"

/// Uploads that arrive, and which sizes of a photo exist: the table photos, and uploads and
/// checksums in the table tintype.
namespace tintype::contexts::intake {

inline constexpr std::string_view kTable = "photos";

/// The user has an image of the same bytes.
inline constexpr Reason kUploadedAlready{ErrorKind::kInUse, "UploadedAlready"};

/// One item of `photos`. Without sizes it is a new one, which the resizer has not seen.
struct Photo {
  std::string username;
  std::string id;
  std::string filename;
  std::string description;
  std::string mimetype;
  int64_t uploaded_ms = 0;
  std::vector<std::string> sizes;
};

/// What became of an upload whose bytes were there already, for those who ask again.
struct UploadAnswer {
  std::string id;
  std::string user_id;
  std::string image_id;
  int64_t length = 0;
  int64_t ttl = 0;        // Seconds since 1970: when it is forgotten.
  bool restored = false;  // The image was in the trash.
};

/// Says which image of a user has the bytes of this checksum.
struct ChecksumPosting {
  std::string user_id;
  std::string sha256;
  std::string image_id;
};

struct ChecksumsPage {
  std::vector<ChecksumPosting> postings;
  std::optional<tables::Item> last_evaluated_key;
};

struct UploadsPage {
  std::vector<Upload> uploads;
  std::optional<tables::Item> last_evaluated_key;
};

/// Owns the table photos and the uploads and checksums in the table tintype. Thread-safe; keeps
/// nothing.
class Intake {
 public:
  explicit Intake(tables::Database& database) : database_(database) {}

  static ProductTable Table();

  Result<std::optional<Photo>> Find(std::string_view username, std::string_view id);

  /// The images that photos are about, the checksums, and the uploads on their way. For commands
  /// that look at all.
  Result<OwnersPage> ListPhotoOwners(const std::optional<tables::Item>& after);
  Result<ChecksumsPage> ListChecksums(const std::optional<tables::Item>& after);
  Result<UploadsPage> ListUploads(const std::optional<tables::Item>& after);

  static Piece Add(const Photo& photo);
  /// The document's steps: first ORIGINAL alone, then all sizes. Refused with kNotFound when the
  /// photo is gone.
  static Piece SetSizes(std::string_view username, std::string_view id,
                        const std::vector<std::string>& sizes);
  static Piece SetDescription(std::string_view username, std::string_view id,
                              std::string_view description);
  static Piece Remove(std::string_view username, std::string_view id);

  /// Refused with kInUse when an upload of this id has begun.
  static Piece BeginUpload(const Upload& upload);
  Result<std::optional<Upload>> FindUpload(std::string_view id);
  /// How many uploads of a user, of those that last longer than a request, are on their way; counts
  /// to `limit`.
  Result<int64_t> CountUploads(std::string_view user_id, int64_t limit);
  /// The ids of uploads of a user that are on their way, at most `limit` of them.
  Result<std::vector<std::string>> ListUploadsOf(std::string_view user_id, int64_t limit);
  /// More of it is synced: `offset`, `mime_type` and `expires_ms` are kept. Refused with kNotFound
  /// when it has ended.
  static Piece SetProgress(const Upload& upload);
  /// Notes that an upload takes an image out of the trash, for whoever goes on with it after a
  /// crash. Refused with kNotFound when it has ended.
  static Piece SetRestored(std::string_view id);
  /// Ends an upload, whether it was completed or given up. Refused with kNotFound when it has ended
  /// already, so that what goes with it happens once.
  static Piece EndUpload(std::string_view id);

  static Piece AddAnswer(const UploadAnswer& answer);
  Result<std::optional<UploadAnswer>> FindAnswer(std::string_view id);

  /// Which image of a user has these bytes.
  Result<std::optional<std::string>> FindByChecksum(std::string_view user_id,
                                                    std::string_view sha256);
  /// Refused with kInUse when the user has these bytes already, in another image than `gone`, which
  /// is known to exist no more.
  static Piece AddChecksum(std::string_view user_id, std::string_view sha256, std::string_view id,
                           std::string_view gone);
  /// Refused with kConditionFailed when another image has these bytes meanwhile.
  static Piece RemoveChecksum(std::string_view user_id, std::string_view sha256,
                              std::string_view id);

 private:
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::intake
