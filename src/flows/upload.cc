#include "flows/upload.h"

#include <algorithm>
#include <utility>

#include "base/json_text.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/common/transaction.h"
#include "contract/limits.h"
#include "flows/develop.h"
#include "flows/expire_image.h"
#include "flows/heal_original.h"
#include "flows/media_keys.h"
#include "flows/trash.h"
#include "flows/update_image.h"

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

blobs::BlobKey UploadBlob(const Product& product, std::string_view id) {
  return {product.config.uploads_bucket, UploadKey(id)};
}
blobs::BlobKey DirectBlob(const Product& product, std::string_view id) {
  return {product.config.uploads_bucket, DirectKey(id)};
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

/// Whoever has the link of a direct upload may use it again until it expires, which it does before
/// the upload would have; and a file that was begun then may take as long again.
void AddSweep(Product& product, const Upload& upload, Transaction& end) {
  if (upload.kind != UploadKind::kDirect) {
    return;
  }
  const int64_t kept_ms = std::chrono::milliseconds(product.config.upload_kept).count();
  Work sweep;
  sweep.id = SweepWorkId(upload.id);
  sweep.type = kSweepWork;
  sweep.uuid = upload.id;
  sweep.due_ms = std::max(upload.expires_ms, product.clock.NowMs() + kept_ms);
  sweep.max_retries = 1'000'000;
  end.Add(product.backlog.Enqueue(std::move(sweep)));
}

Image NewImage(const Product& product, const Account& account, const Upload& upload,
               const UploadRequest& request, const UploadedBytes& bytes, int64_t now_ms) {
  const std::string now = TimeText(now_ms);
  Image image;
  image.id = upload.id;
  image.user_id = account.id;
  image.album_id = request.album_id;
  image.original_filename = upload.filename;
  image.mime_type = bytes.mime_type;
  image.file_size = bytes.bytes;
  image.sha256 = bytes.sha256;
  image.s3_key = ImageServiceKey(account.id, upload.id);
  image.s3_bucket = product.config.images_bucket;
  image.thumbnail_key = ImageServiceThumbnailKey(account.id, upload.id);
  image.image_url = MediaUrl(product.config.public_url, image.s3_key, 0);
  image.thumbnail_url = MediaUrl(product.config.public_url, image.thumbnail_key, 0);
  image.quality = product.config.quality;
  image.title = request.title;
  image.created_at = TimeText(upload.started_ms);
  image.updated_at = now;
  image.uploaded_at = now;
  image.ttl = ExpiryOf(request, now_ms);
  return image;
}

contexts::people::SparksImage SparksImageOf(const Product& product, const Account& account,
                                            const UploadRequest& request, const Image& image) {
  contexts::people::SparksImage sparks;
  sparks.id = image.id;
  sparks.uploaded_by = account.email;
  sparks.uploaded_at = image.uploaded_at;
  sparks.modified_at = image.uploaded_at;
  sparks.s3_key = SparksOriginalKey(image.id);
  sparks.visibility = request.visibility.value_or(product.config.visibility);
  return sparks;
}

contexts::analysis::Ingest IngestOf(const Product& product, const Image& image,
                                    const UploadedBytes& bytes, int64_t now_ms) {
  contexts::analysis::Ingest ingest;
  ingest.uuid = image.id;
  ingest.timestamp_ms = now_ms;
  ingest.type = contexts::analysis::MediaTypeOf(image.mime_type);
  ingest.bucket = product.config.uploads_bucket;
  ingest.key = UploadKey(image.id);
  ingest.file_size = image.file_size;
  ingest.md5 = bytes.md5;
  ingest.output_bucket = product.config.images_bucket;
  ingest.output_prefix = StrCat(image.id, "/");
  return ingest;
}

/// Who has these bytes already.
struct Duplicate {
  std::optional<Image> image;
  /// The id that is posted for them, if its image is gone for good: ids never come back.
  std::string gone;
};

Result<Duplicate> FindDuplicate(Product& product, const Account& account,
                                const std::string& sha256) {
  Duplicate duplicate;
  ASSIGN_OR_RETURN(const auto id, product.intake.FindByChecksum(account.id, sha256));
  if (id) {
    ASSIGN_OR_RETURN(duplicate.image, product.catalog.Find(*id));
    duplicate.gone = duplicate.image ? "" : *id;
  }
  return duplicate;
}

Error BeingDeleted() {
  return {ErrorKind::kUnavailable,
          "An image with these bytes is being deleted just now. Try again in a moment."};
}

/// Ends an upload and gives it back to the limit. That it has ended already is fine. `duplicate_of`
/// is the image that its bytes turned out to be, if they did.
Status GiveUp(Product& product, const Upload& upload, std::string_view duplicate_of) {
  const auto commit = [&](bool limit) {
    Transaction abandon(StrCat("abandon-upload ", upload.id));
    abandon.Add(Intake::EndUpload(upload.id));
    AddSweep(product, upload, abandon);
    if (limit) {
      abandon.Add(People::GiveBackToLimit(upload.email));
    }
    if (!duplicate_of.empty() && upload.kind != UploadKind::kStreamed) {
      const int64_t now_ms = product.clock.NowMs();
      abandon.Add(
          Intake::AddAnswer({upload.id, upload.user_id, std::string(duplicate_of), upload.length,
                             now_ms / 1000 + product.config.upload_kept.count()}));
    }
    return abandon.Commit(product.database, product.retries);
  };
  Status ended = commit(true);
  if (!ended.ok() && ended.error().kind() == ErrorKind::kNotFound) {
    // Either it has ended, or somebody has removed the limit: then it ends without.
    ended = commit(false);
  }
  return !ended.ok() && ended.error().kind() == ErrorKind::kNotFound ? OkStatus() : ended;
}

/// Removes what is in the blob store of an upload that has ended.
Status RemoveBlobs(Product& product, const std::optional<Upload>& upload, std::string_view id) {
  if (upload && upload->kind == UploadKind::kDirect) {
    RETURN_IF_ERROR(product.blobs.Delete(DirectBlob(product, id)));
  }
  if (upload && upload->kind == UploadKind::kResumable && upload->offset < upload->length) {
    return OkStatus();  // Nothing of it has left the spool.
  }
  // An upload that has ended well is an image: its bytes are not ours to remove.
  ASSIGN_OR_RETURN(const auto image, product.catalog.Find(id));
  return image ? OkStatus() : product.blobs.Delete(UploadBlob(product, id));
}

/// Last, so that whatever was left undone is done when the upload's time has passed.
Status ForgetUpload(Product& product, std::string_view id) {
  return Transaction(StrCat("forget-upload ", id))
      .Add(product.backlog.Withdraw(AbandonWorkId(id)))
      .Commit(product.database, product.retries);
}

/// Everything of an upload goes but for its bytes in the spool.
Status Abandon(Product& product, const std::optional<Upload>& upload, std::string_view id,
               LateBytes late) {
  if (upload) {
    RETURN_IF_ERROR(GiveUp(product, *upload, ""));
  }
  RETURN_IF_ERROR(RemoveBlobs(product, upload, id));
  return late == LateBytes::kPossible ? OkStatus() : ForgetUpload(product, id);
}

/// The upload turned out to be an image that the user has: that one is the answer.
Result<CompletedUpload> AnswerExisting(Product& product, const Account& account,
                                       const Upload& upload, const UploadRequest& request,
                                       Image existing) {
  if (existing.id == upload.id) {
    // It was completed before, and the answer got lost.
    return CompletedUpload{std::move(existing), false};
  }
  if (existing.is_trashed()) {
    Result<Image> restored = RestoreImage(product, account, existing.id);
    if (!restored.ok()) {
      return restored.error().kind() == ErrorKind::kNotFound ? BeingDeleted() : restored.error();
    }
    existing = *std::move(restored);
    if (request.visibility) {
      ASSIGN_OR_RETURN(existing,
                       SetImageVisibility(product, account, existing.id, *request.visibility));
    }
  }
  Result<Image> kept = KeepAsLong(product, account, std::move(existing), request);
  if (!kept.ok()) {
    return kept.error().kind() == ErrorKind::kNotFound ? BeingDeleted() : kept.error();
  }
  const Status healed = HealOriginal(product, *kept, upload);
  if (!healed.ok()) {
    return healed.error().kind() == ErrorKind::kNotFound ? BeingDeleted() : healed.error();
  }
  RETURN_IF_ERROR(GiveUp(product, upload, kept->id));
  RETURN_IF_ERROR(RemoveBlobs(product, upload, upload.id));
  RETURN_IF_ERROR(ForgetUpload(product, upload.id));
  return CompletedUpload{*std::move(kept), true};
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

/// Reserves one of the user's uploads for one that is described but for its id and its times.
Result<Upload> Begin(Product& product, const Account& account, const UploadRequest& request,
                     Upload upload) {
  // Names of files can be any bytes; what is in tables cannot.
  upload.filename = ValidUtf8(request.filename);
  RETURN_IF_ERROR(limits::CheckText("filename", upload.filename, limits::kFilename));
  RETURN_IF_ERROR(CheckRequestDetails(request));
  ASSIGN_OR_RETURN(upload.id, product.ids.Next());
  upload.user_id = account.id;
  upload.email = account.email;
  upload.username = account.username;
  upload.started_ms = product.clock.NowMs();
  upload.node = product.config.node;
  upload.expires_ms =
      upload.started_ms + std::chrono::milliseconds(product.config.upload_kept).count();
  Transaction begin(StrCat("begin-upload ", upload.id));
  begin.Add(People::TakeFromLimit(account.email))
      .Add(Intake::BeginUpload(upload))
      .Add(product.backlog.Enqueue(AbandonWork(upload, request)));
  RETURN_IF_ERROR(begin.Commit(product.database, product.retries));
  return upload;
}

}  // namespace

std::string AbandonWorkId(std::string_view id) { return StrCat(kAbandonWork, "-", id); }
std::string SweepWorkId(std::string_view id) { return StrCat(kSweepWork, "-", id); }

Result<Upload> BeginUpload(Product& product, const Account& account, const UploadRequest& request) {
  return Begin(product, account, request, {});
}

Result<Upload> BeginLongUpload(Product& product, const Account& account,
                               const UploadRequest& request, const LongUpload& announced) {
  const int64_t most = product.config.uploads_in_progress_max;
  const MutexLock lock(product.beginnings.Of(account.id));
  ASSIGN_OR_RETURN(const int64_t in_progress, product.intake.CountUploads(account.id, most));
  if (in_progress >= most) {
    return Error(
        kTooManyUploads,
        StrCat("There are ", most, " uploads on their way already. Finish or cancel one first."));
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
  upload.image_lifetime_s = request.image_lifetime_s;
  upload.correlation_id = request.correlation_id;
  return Begin(product, account, request, std::move(upload));
}

UploadRequest RequestOf(const Upload& upload) {
  UploadRequest request{upload.filename};
  request.title = upload.title;
  request.album_id = upload.album_id;
  if (upload.visibility) {
    request.visibility = *upload.visibility == NameOf(Visibility::kShared) ? Visibility::kShared
                                                                           : Visibility::kPrivate;
  }
  request.image_lifetime_s = upload.image_lifetime_s;
  request.correlation_id = upload.correlation_id;
  return request;
}

Result<CompletedUpload> CompleteUpload(Product& product, const Account& account,
                                       const Upload& upload, const UploadRequest& request,
                                       const UploadedBytes& bytes) {
  // A form may tell what the photo is called behind the photo.
  RETURN_IF_ERROR(CheckRequestDetails(request));
  ASSIGN_OR_RETURN(Duplicate existing, FindDuplicate(product, account, bytes.sha256));
  if (existing.image) {
    return AnswerExisting(product, account, upload, request, *std::move(existing.image));
  }
  const int64_t now_ms = product.clock.NowMs();
  const Image image = NewImage(product, account, upload, request, bytes, now_ms);
  const contexts::intake::Photo photo{
      account.username, upload.id, upload.filename, "", bytes.mime_type, now_ms, {}};
  Transaction complete(StrCat("complete-upload ", upload.id));
  complete.Add(Intake::EndUpload(upload.id))
      .Add(Intake::Add(photo))
      .Add(Catalog::Add(image))
      .Add(People::AddImage(SparksImageOf(product, account, request, image)))
      .Add(product.analysis.AddIngest(IngestOf(product, image, bytes, now_ms)))
      .Add(Intake::AddChecksum(account.id, bytes.sha256, upload.id, existing.gone))
      .Add(product.backlog.Enqueue(DevelopWork(image, request.correlation_id)))
      .Add(product.backlog.Withdraw(AbandonWorkId(upload.id)));
  AddSweep(product, upload, complete);
  if (image.ttl) {
    complete.Add(product.backlog.Enqueue(ExpireWork(image)));
  }
  const Status committed = complete.Commit(product.database, product.retries);
  if (committed.ok()) {
    return CompletedUpload{image, false};
  }
  if (committed.error().Is(contexts::intake::kUploadedAlready)) {
    // The same bytes came in twice at the same time, and the other upload was quicker.
    ASSIGN_OR_RETURN(existing, FindDuplicate(product, account, bytes.sha256));
    return existing.image
               ? AnswerExisting(product, account, upload, request, *std::move(existing.image))
               : Result<CompletedUpload>(BeingDeleted());
  }
  return committed.error();
}

Status AbandonUpload(Product& product, std::string_view id, LateBytes late) {
  // Nobody else may be at it: whoever completes it meanwhile would bring bytes that nobody removes.
  ASSIGN_OR_RETURN(const auto claim, product.spool.Take(id));
  RETURN_IF_ERROR(claim->Begin());
  return AbandonClaimed(product, *claim, late);
}

Status AbandonClaimed(Product& product, const blobs::SpoolClaim& claim, LateBytes late) {
  ASSIGN_OR_RETURN(const std::optional<Upload> upload, product.intake.FindUpload(claim.id()));
  RETURN_IF_ERROR(Abandon(product, upload, claim.id(), late));
  // Bytes that are left behind here belong to no upload; the next start removes them.
  return product.spool.Remove(claim);
}

Status SweepUpload(Product& product, const Work& work) {
  RETURN_IF_ERROR(product.blobs.Delete(DirectBlob(product, work.uuid)));
  return Transaction(StrCat("swept ", work.uuid))
      .Add(product.backlog.Complete(work))
      .Commit(product.database, product.retries);
}

}  // namespace tintype::flows
