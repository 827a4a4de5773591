#include "flows/uploads/upload.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/rate_limited.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "base/ulid.h"
#include "blobs/blob_store.h"
#include "blobs/spool.h"
#include "contexts/analysis/analysis.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/media_type.h"
#include "contexts/common/transaction.h"
#include "contexts/intake/intake.h"
#include "contexts/intake/storage_use.h"
#include "contexts/people/reasons.h"
#include "contract/limits.h"
#include "flows/accounts/account_locks.h"
#include "flows/accounts/settings.h"
#include "flows/config.h"
#include "flows/images/develop.h"
#include "flows/images/expire_image.h"
#include "flows/images/heal_original.h"
#include "flows/images/trash.h"
#include "flows/images/update_image.h"
#include "flows/media_keys.h"
#include "flows/uploads/storage_quota.h"
#include "flows/uploads/upload_limit.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::backlog::Work;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::intake::Intake;
using contexts::intake::Upload;
using contexts::intake::UploadKind;
using contexts::people::People;
using contexts::people::Visibility;

blobs::BlobKey UploadBlob(const UploadParts& parts, std::string_view id) {
  return {parts.config.uploads_bucket, UploadKey(id)};
}
blobs::BlobKey DirectBlob(const UploadParts& parts, std::string_view id) {
  return {parts.config.uploads_bucket, DirectKey(id)};
}

Work AbandonWork(const Upload& upload, const UploadRequest& request) {
  Work abandon;
  abandon.id = AbandonWorkId(upload.id);
  abandon.type = kAbandonWork;
  abandon.uuid = upload.id;
  abandon.due_ms = upload.expires_ms;
  abandon.correlation_id = request.correlation_id;
  // Until it has ended the limit is short by one: it is tried for as long as it takes.
  abandon.max_retries = 1'000'000;
  return abandon;
}

/// The link of a direct upload may be used again until it expires, which it does before the upload
/// would have; and a file that was begun then may take as long again.
void AddSweep(const UploadParts& parts, const Upload& upload, Transaction& end) {
  if (upload.kind != UploadKind::kDirect) {
    return;
  }
  const int64_t kept_ms = std::chrono::milliseconds(parts.config.upload_kept).count();
  Work sweep;
  sweep.id = SweepWorkId(upload.id);
  sweep.type = kSweepWork;
  sweep.uuid = upload.id;
  sweep.due_ms = std::max(upload.expires_ms, parts.clock.NowMs() + kept_ms);
  sweep.max_retries = 1'000'000;
  end.Add(parts.backlog.Enqueue(std::move(sweep)));
}

/// Markdown is text, and only its name says that it is more.
std::string NarrowedType(const std::string& type, std::string_view filename) {
  const size_t point = filename.rfind('.');
  const std::string_view extension =
      point == std::string_view::npos ? "" : filename.substr(point + 1);
  const bool is_markdown =
      EqualsIgnoreCase(extension, "md") || EqualsIgnoreCase(extension, "markdown");
  return is_markdown && type == "text/plain" ? "text/markdown" : type;
}

Image NewImage(const UploadParts& parts, const Account& account, const Upload& upload,
               const UploadRequest& request, const UploadedBytes& bytes, int64_t now_ms) {
  const std::string now = TimeText(now_ms);
  Image image;
  image.id = upload.id;
  image.user_id = account.id;
  image.album_id = request.album_id;
  image.original_filename = upload.filename;
  image.mime_type = NarrowedType(bytes.mime_type, upload.filename);
  image.file_size = bytes.bytes;
  image.sha256 = bytes.sha256;
  image.s3_key = ImageServiceKey(account.id, upload.id);
  image.s3_bucket = parts.config.images_bucket;
  image.thumbnail_key = ImageServiceThumbnailKey(account.id, upload.id);
  image.image_url = MediaUrl(parts.config.public_url, image.s3_key, 0);
  image.thumbnail_url = MediaUrl(parts.config.public_url, image.thumbnail_key, 0);
  image.quality = parts.config.quality;
  image.title = request.title;
  image.created_at = TimeText(upload.started_ms);
  image.updated_at = now;
  image.uploaded_at = now;
  image.ttl = ExpiryOf(request, now_ms);
  return image;
}

Visibility VisibilityOf(const UploadParts& parts, const UploadRequest& request) {
  return request.visibility.value_or(parts.config.visibility);
}

contexts::people::SparksImage SparksImageOf(const UploadParts& parts, const Account& account,
                                            const UploadRequest& request, const Image& image) {
  contexts::people::SparksImage sparks;
  sparks.id = image.id;
  sparks.uploaded_by = account.email;
  sparks.uploaded_at = image.uploaded_at;
  sparks.modified_at = image.uploaded_at;
  sparks.s3_key = SparksOriginalKey(image.id);
  sparks.visibility = VisibilityOf(parts, request);
  return sparks;
}

/// What the upload says, or else its account, or else the server.
contexts::analysis::AiOptions WantedOf(const UploadParts& parts, const Account& account,
                                       const UploadRequest& request) {
  const auto wanted = request.ai_options ? request.ai_options : AiOptionsOf(account);
  return wanted.value_or(parts.config.ai_options);
}

contexts::analysis::Ingest IngestOf(const UploadParts& parts, const Account& account,
                                    const UploadRequest& request, const Image& image,
                                    const UploadedBytes& bytes, int64_t now_ms) {
  contexts::analysis::Ingest ingest;
  ingest.uuid = image.id;
  ingest.timestamp_ms = now_ms;
  ingest.type = contexts::MediaTypeOf(image.mime_type);
  ingest.bucket = parts.config.uploads_bucket;
  ingest.key = UploadKey(image.id);
  ingest.file_size = image.file_size;
  ingest.md5 = bytes.md5;
  ingest.ai_options = WantedOf(parts, account, request);
  ingest.output_bucket = parts.config.images_bucket;
  ingest.output_prefix = StrCat(image.id, "/");
  return ingest;
}

/// Who has these bytes already.
struct Duplicate {
  std::optional<Image> image;
  /// The id that is posted for them, if its image is gone for good: ids never come back.
  std::string gone;
};

Result<Duplicate> FindDuplicate(const UploadParts& parts, const Account& account,
                                const std::string& sha256) {
  Duplicate duplicate;
  ASSIGN_OR_RETURN(const auto id, parts.intake.FindByChecksum(account.id, sha256));
  if (id) {
    ASSIGN_OR_RETURN(duplicate.image, parts.catalog.Find(*id));
    duplicate.gone = duplicate.image ? "" : *id;
  }
  return duplicate;
}

Error BeingDeleted() {
  return {ErrorKind::kUnavailable,
          "An image with these bytes is being deleted just now. Try again in a moment."};
}

/// The image that an upload's bytes turned out to be.
struct KnownImage {
  std::string_view id;
  bool restored = false;
};

/// Ends an upload and gives it back to the limit, and its bytes to the quota. That it has ended
/// already is fine. `known` is for
/// who asks again.
Status GiveUp(const UploadParts& parts, const Upload& upload, LimitGuess guess,
              const std::optional<KnownImage>& known) {
  Transaction abandon(StrCat("abandon-upload ", upload.id));
  abandon.Add(Intake::EndUpload(upload.id));
  AddSweep(parts, upload, abandon);
  if (known && upload.kind != UploadKind::kStreamed) {
    const int64_t now_ms = parts.clock.NowMs();
    abandon.Add(
        Intake::AddAnswer({upload.id, upload.user_id, std::string(known->id), upload.length,
                           now_ms / 1000 + parts.config.upload_kept.count(), known->restored}));
  }
  const Status ended =
      CommitReleasing(parts, upload.user_id, upload.id, [&](const contexts::Pieces& release) {
        Transaction whole = abandon;
        whole.Add(release);
        return CommitGivingUploadBack(parts, upload.email, guess, whole);
      });
  return !ended.ok() && ended.error().kind() == ErrorKind::kNotFound ? OkStatus() : ended;
}

/// Removes what is in the blob store of an upload that has ended.
Status RemoveBlobs(const UploadParts& parts, const std::optional<Upload>& upload,
                   std::string_view id) {
  if (upload && upload->kind == UploadKind::kDirect) {
    RETURN_IF_ERROR(parts.blobs.Delete(DirectBlob(parts, id)));
  }
  if (upload && upload->kind == UploadKind::kResumable && upload->offset < upload->length) {
    return OkStatus();  // Nothing of it has left the spool.
  }
  // An upload that has ended well is an image: its bytes are not ours to remove.
  ASSIGN_OR_RETURN(const auto image, parts.catalog.Find(id));
  return image ? OkStatus() : parts.blobs.Delete(UploadBlob(parts, id));
}

/// Last, so that whatever was left undone is done when the upload's time has passed.
Status ForgetUpload(const UploadParts& parts, std::string_view id) {
  return Transaction(StrCat("forget-upload ", id))
      .Add(parts.backlog.Withdraw(AbandonWorkId(id)))
      .Commit(parts.database, parts.retries);
}

/// Everything of an upload goes but for its bytes in the spool.
Status Abandon(const UploadParts& parts, const std::optional<Upload>& upload, std::string_view id,
               LateBytes late) {
  if (upload) {
    RETURN_IF_ERROR(GiveUp(parts, *upload, LimitGuess::kLimited, std::nullopt));
  }
  RETURN_IF_ERROR(RemoveBlobs(parts, upload, id));
  return late == LateBytes::kPossible ? OkStatus() : ForgetUpload(parts, id);
}

/// The upload turned out to be an image that the user has: that one is the answer.
Result<CompletedUpload> AnswerExisting(const UploadParts& parts, const Account& account,
                                       const Upload& upload, const UploadRequest& request,
                                       Image existing) {
  if (existing.id == upload.id) {
    // It was completed before, and the answer got lost.
    return CompletedUpload{.image = std::move(existing),
                           .shared = VisibilityOf(parts, request) == Visibility::kShared};
  }
  // The work of an attempt before this one counts too.
  const bool restored = existing.is_trashed() || upload.restored;
  if (existing.is_trashed()) {
    Result<Image> back =
        RestoreImage(parts, account, existing.id, {Intake::SetRestored(upload.id)});
    if (!back.ok()) {
      return back.error().kind() == ErrorKind::kNotFound ? BeingDeleted() : back.error();
    }
    existing = *std::move(back);
    if (request.visibility) {
      ASSIGN_OR_RETURN(existing,
                       SetImageVisibility(parts, account, existing.id, *request.visibility));
    }
  }
  Result<Image> kept = KeepAsLong(parts, account, std::move(existing), request);
  if (!kept.ok()) {
    return kept.error().kind() == ErrorKind::kNotFound ? BeingDeleted() : kept.error();
  }
  const Status healed = HealOriginal(parts, *kept, upload);
  if (!healed.ok()) {
    return healed.error().kind() == ErrorKind::kNotFound ? BeingDeleted() : healed.error();
  }
  RETURN_IF_ERROR(GiveUp(parts, upload, GuessLimit(account), KnownImage{kept->id, restored}));
  RETURN_IF_ERROR(RemoveBlobs(parts, upload, upload.id));
  RETURN_IF_ERROR(ForgetUpload(parts, upload.id));
  return CompletedUpload{.image = *std::move(kept),
                         .duplicate = true,
                         .restored = restored,
                         .shared = restored && request.visibility == Visibility::kShared};
}

Status CheckRequestDetails(const UploadRequest& request) {
  contexts::catalog::DetailsChange details;
  details.title = request.title;
  details.album_id = request.album_id;
  const std::optional<int64_t>& lifetime = request.image_lifetime_s;
  if (lifetime && !limits::kImageLifetime.Allows(*lifetime)) {
    return Error::Validation(StrCat("`expiresIn` is a number of seconds from ",
                                    limits::kImageLifetime.min, " to ", limits::kImageLifetime.max,
                                    "."));
  }
  return contexts::catalog::CheckDetails(details);
}

/// Says what the account itself can do about its limit, beside what `reached` says.
Error LimitReached(const UploadParts& parts, const Account& account, const Error& reached) {
  const auto trash = parts.catalog.ListTrash(account.id, 1, {});
  return trash.ok() && !trash->postings.empty()
             ? Error(contexts::people::kUploadLimitReached,
                     StrCat(reached.message(),
                            " There are images in your trash: emptying it gives uploads back."))
             : reached;
}

/// Reserves one of the user's uploads, and its bytes, for one that is described but for its id and
/// its times.
Result<Upload> Begin(const UploadParts& parts, const Account& account, const UploadRequest& request,
                     Upload upload) {
  // Names of files can be any bytes; texts in tables cannot.
  upload.filename = ValidUtf8(request.filename);
  RETURN_IF_ERROR(limits::CheckText("filename", upload.filename, limits::kFilename));
  RETURN_IF_ERROR(CheckRequestDetails(request));
  ASSIGN_OR_RETURN(upload.id, parts.ids.Next());
  upload.user_id = account.id;
  upload.email = account.email;
  upload.username = account.username;
  upload.started_ms = parts.clock.NowMs();
  upload.node = parts.config.node;
  upload.expires_ms =
      upload.started_ms + std::chrono::milliseconds(parts.config.upload_kept).count();
  Transaction begin(StrCat("begin-upload ", upload.id));
  begin.Add(Intake::BeginUpload(upload))
      .Add(parts.backlog.Enqueue(AbandonWork(upload, request)))
      .Add(TakeBytes(account.id, upload.id, upload.length));
  const Status begun = CommitTakingUpload(parts, account, begin);
  if (!begun.ok() && begun.error().Is(contexts::intake::kQuotaExceeded)) {
    return NoRoom(parts, account, upload.length);
  }
  if (!begun.ok()) {
    return begun.error().Is(contexts::people::kUploadLimitReached)
               ? LimitReached(parts, account, begun.error())
               : begun.error();
  }
  return upload;
}

}  // namespace

std::string AbandonWorkId(std::string_view id) { return StrCat(kAbandonWork, "-", id); }
std::string SweepWorkId(std::string_view id) { return StrCat(kSweepWork, "-", id); }

Result<Upload> BeginUpload(const UploadParts& parts, const Account& account,
                           const UploadRequest& request) {
  Upload upload;
  upload.length = request.length;
  return Begin(parts, account, request, std::move(upload));
}

Result<Upload> BeginLongUpload(const UploadParts& parts, const Account& account,
                               const UploadRequest& request, const LongUpload& announced) {
  constexpr int64_t kUploadWaitS = 10;  // About as long as one takes.
  const int64_t most = parts.config.uploads_in_progress_max;
  const MutexLock lock(parts.beginnings.Of(account.id));
  ASSIGN_OR_RETURN(const int64_t in_progress, parts.intake.CountUploads(account.id, most));
  if (in_progress >= most) {
    return Error(kTooManyUploads,
                 StrCat("There are ", most,
                        " uploads on their way already. Finish or cancel one first."))
        .WithDetail(std::make_shared<RateLimited>(kUploadWaitS, "uploads-in-progress", most));
  }
  Upload upload;
  upload.kind = announced.kind;
  upload.length = announced.length;
  upload.metadata = announced.metadata;
  upload.sha256 = announced.sha256;
  upload.title = request.title;
  upload.album_id = request.album_id;
  if (request.visibility) {
    upload.visibility = contexts::people::NameOf(*request.visibility);
  }
  if (request.ai_options) {
    upload.ai_options = request.ai_options->Text();
  }
  upload.image_lifetime_s = request.image_lifetime_s;
  upload.correlation_id = request.correlation_id;
  return Begin(parts, account, request, std::move(upload));
}

UploadRequest RequestOf(const Upload& upload) {
  UploadRequest request{upload.filename};
  request.title = upload.title;
  request.album_id = upload.album_id;
  if (upload.visibility) {
    request.visibility = *upload.visibility == NameOf(Visibility::kShared) ? Visibility::kShared
                                                                           : Visibility::kPrivate;
  }
  if (upload.ai_options) {
    // One that another program changed says nothing.
    const auto options = contexts::analysis::AiOptions::Parse(*upload.ai_options);
    request.ai_options = options.ok() ? std::optional(*options) : std::nullopt;
  }
  request.image_lifetime_s = upload.image_lifetime_s;
  request.correlation_id = upload.correlation_id;
  return request;
}

Result<CompletedUpload> CompleteUpload(const UploadParts& parts, const Account& account,
                                       const Upload& upload, const UploadRequest& request,
                                       const UploadedBytes& bytes) {
  // A form may tell what the photo is called behind the photo.
  RETURN_IF_ERROR(CheckRequestDetails(request));
  ASSIGN_OR_RETURN(Duplicate existing, FindDuplicate(parts, account, bytes.sha256));
  if (existing.image) {
    return AnswerExisting(parts, account, upload, request, *std::move(existing.image));
  }
  if (bytes.bytes != upload.length) {
    RETURN_IF_ERROR(SettleUpload(parts, account, upload.id, bytes.bytes));
  }
  const int64_t now_ms = parts.clock.NowMs();
  const Image image = NewImage(parts, account, upload, request, bytes, now_ms);
  const contexts::intake::Photo photo{
      account.username, upload.id, upload.filename, "", image.mime_type, now_ms, {}};
  Work develop = parts.backlog.InTurn(DevelopWork(image, request.correlation_id), account.id,
                                      DevelopCost(image.file_size));
  Transaction complete(StrCat("complete-upload ", upload.id));
  complete.Add(Intake::EndUpload(upload.id))
      .Add(Intake::Add(photo))
      .Add(Catalog::Add(image))
      .Add(People::AddImage(SparksImageOf(parts, account, request, image)))
      .Add(parts.analysis.AddIngest(IngestOf(parts, account, request, image, bytes, now_ms)))
      .Add(Intake::AddChecksum(account.id, bytes.sha256, upload.id, existing.gone))
      .Add(parts.backlog.Enqueue(std::move(develop)))
      .Add(parts.backlog.Withdraw(AbandonWorkId(upload.id)));
  AddSweep(parts, upload, complete);
  if (image.ttl) {
    complete.Add(parts.backlog.Enqueue(ExpireWork(image)));
  }
  const Status committed = complete.Commit(parts.database, parts.retries);
  if (committed.ok()) {
    return CompletedUpload{.image = image,
                           .shared = VisibilityOf(parts, request) == Visibility::kShared};
  }
  if (committed.error().Is(contexts::intake::kUploadedAlready)) {
    // The same bytes came in twice at the same time, and the other upload was quicker.
    ASSIGN_OR_RETURN(existing, FindDuplicate(parts, account, bytes.sha256));
    return existing.image
               ? AnswerExisting(parts, account, upload, request, *std::move(existing.image))
               : Result<CompletedUpload>(BeingDeleted());
  }
  return committed.error();
}

Status AbandonUpload(const UploadParts& parts, std::string_view id, LateBytes late) {
  // Nobody else may be at it: completing it meanwhile would bring bytes that nobody removes.
  ASSIGN_OR_RETURN(const auto claim, parts.spool.Take(id));
  RETURN_IF_ERROR(claim->Begin());
  return AbandonClaimed(parts, *claim, late);
}

Status AbandonClaimed(const UploadParts& parts, const blobs::SpoolClaim& claim, LateBytes late) {
  ASSIGN_OR_RETURN(const std::optional<Upload> upload, parts.intake.FindUpload(claim.id()));
  RETURN_IF_ERROR(Abandon(parts, upload, claim.id(), late));
  // Bytes that are left behind here belong to no upload; the next start removes them.
  return parts.spool.Remove(claim);
}

Status SweepUpload(const UploadParts& parts, const Work& work) {
  RETURN_IF_ERROR(parts.blobs.Delete(DirectBlob(parts, work.uuid)));
  return Transaction(StrCat("swept ", work.uuid))
      .Add(parts.backlog.Complete(work))
      .Commit(parts.database, parts.retries);
}

}  // namespace tintype::flows
