#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "blobs/spool.h"
#include "contexts/analysis/ai_options.h"
#include "contexts/backlog/work.h"
#include "contexts/catalog/image.h"
#include "contexts/intake/intake.h"
#include "contexts/people/image.h"
#include "flows/parts.h"

/// From the first byte of an upload to an image that is listed.
namespace tintype::flows {

using UploadParts = Uses<ConfigPart, DatabasePart, BlobsPart, SpoolPart, BeginningsPart, ClockPart,
                         IdsPart, CatalogPart, IntakePart, PeoplePart, AnalysisPart, BacklogPart>;

/// As many uploads of the account are on their way as ProductConfig allows.
inline constexpr Reason kTooManyUploads{ErrorKind::kLimitExceeded, "TooManyUploads"};
/// A file is not what was announced of it.
inline constexpr Reason kChecksumMismatch{ErrorKind::kValidation, "ChecksumMismatch"};

/// What an upload says of itself.
struct UploadRequest {
  std::string filename;
  std::optional<std::string> title = {};
  std::optional<std::string> album_id = {};
  std::optional<contexts::people::Visibility> visibility = {};
  /// What is to be looked for in it; ProductConfig says for those that do not.
  std::optional<contexts::analysis::AiOptions> ai_options = {};
  std::optional<std::string> correlation_id = {};
  /// After so many seconds the image is deleted by itself: a temporary one.
  std::optional<int64_t> image_lifetime_s = {};
  /// How many bytes will come, if that is known: so many are taken from the account's quota. Bytes
  /// beyond them have to fit when they are there.
  int64_t length = 0;
};

/// Reserves one of the user's uploads and its bytes, together with a record of this one; from now
/// on bytes may go to `UploadKey(id)` of the uploads bucket. If nothing more is heard of it, it is
/// given up after ProductConfig::upload_kept. Errors: people::kUploadLimitReached when the user has
/// none left; intake::kQuotaExceeded when there is no room for so many bytes; kValidation for a
/// filename, title or album that is too long.
Result<contexts::intake::Upload> BeginUpload(const UploadParts& parts, const Account& account,
                                             const UploadRequest& request);

/// What an upload that lasts longer than one request announces.
struct LongUpload {
  contexts::intake::UploadKind kind = contexts::intake::UploadKind::kResumable;
  int64_t length = 0;
  std::string metadata = {};  // To be given back as it is.
  std::optional<std::string> sha256 = {};
};

/// The same for an upload that lasts longer than a request. All that `request` says is remembered.
/// Errors: also kTooManyUploads when the user has as many on their way as ProductConfig allows.
Result<contexts::intake::Upload> BeginLongUpload(const UploadParts& parts, const Account& account,
                                                 const UploadRequest& request,
                                                 const LongUpload& announced);

/// What the beginning of a long upload said.
UploadRequest RequestOf(const contexts::intake::Upload& upload);

/// What is known of the bytes once all of them are there.
struct UploadedBytes {
  int64_t bytes = 0;
  std::string md5;  // Both in hexadecimal.
  std::string sha256;
  std::string mime_type;  // From the bytes, not from the client.
};

struct CompletedUpload {
  contexts::catalog::Image image;
  /// The user had these bytes already: it is that image, taken out of the trash if it was there,
  /// and given its original again if that was lost.
  bool duplicate = false;
  /// It was in the trash.
  bool restored = false;
  /// This upload has shared it: a new image, or one out of the trash for which the upload says so.
  /// False of who only asks again what became of an upload.
  bool shared = false;
};

/// Ends an upload whose bytes are in the blob store: the image is listed from now on, and waits for
/// being developed. May be repeated when the answer got lost. Errors: kNotFound when the upload was
/// given up meanwhile; intake::kQuotaExceeded when more came than it announced, and does not fit;
/// kUnavailable when the user's image of these bytes is just being deleted.
Result<CompletedUpload> CompleteUpload(const UploadParts& parts, const Account& account,
                                       const contexts::intake::Upload& upload,
                                       const UploadRequest& request, const UploadedBytes& bytes);

/// Whether bytes of an upload may come after it was given up: a storage that did not answer in time
/// may yet store what it was sent.
enum class LateBytes { kNone, kPossible };

/// Gives up an upload: its bytes go, the limit comes back, once. That it has ended already is fine.
/// When bytes may come late, the work that gives it up stays, and removes them when its time has
/// come. Errors: kInUse while a request is at it.
Status AbandonUpload(const UploadParts& parts, std::string_view id,
                     LateBytes late = LateBytes::kNone);
/// The same by the holder of the upload's claim, which has begun.
Status AbandonClaimed(const UploadParts& parts, const blobs::SpoolClaim& claim,
                      LateBytes late = LateBytes::kNone);

/// The work that gives up an upload when its time has passed.
inline constexpr std::string_view kAbandonWork = "abandon-upload";
std::string AbandonWorkId(std::string_view id);

/// The work that removes what came by a link after its upload had ended, when nothing more can.
inline constexpr std::string_view kSweepWork = "sweep-upload";
std::string SweepWorkId(std::string_view id);
Status SweepUpload(const UploadParts& parts, const contexts::backlog::Work& work);

}  // namespace tintype::flows
