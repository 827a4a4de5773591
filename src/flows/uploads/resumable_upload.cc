#include "flows/uploads/resumable_upload.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/logging.h"
#include "base/strings.h"
#include "blobs/blob_store.h"
#include "blobs/disk_room.h"
#include "blobs/spool.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/intake/intake.h"
#include "flows/config.h"
#include "flows/media_keys.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::backlog::Work;
using contexts::catalog::Image;
using contexts::intake::Intake;
using contexts::intake::Upload;
using contexts::intake::UploadKind;

/// Large, since each read of a store on the network is a request.
constexpr size_t kReadBytes = size_t{4} << 20;

/// Whether the bytes of an upload are in the spool of another node.
bool IsElsewhere(const ResumableUploadParts& parts, const Upload& upload) {
  return upload.kind == UploadKind::kResumable && !upload.node.empty() &&
         upload.node != parts.config.node;
}

Error NoSuchUpload() { return Error::NotFound("There is no such upload."); }

blobs::BlobKey UploadBlob(const ResumableUploadParts& parts, const Upload& upload) {
  return {parts.config.uploads_bucket, UploadKey(upload.id)};
}

/// Calls `take` with all bytes in order; `read` fills a buffer from an offset on.
template <typename Read, typename Take>
Status ForEachPiece(const Read& read, const Take& take) {
  std::vector<char> buffer(kReadBytes);
  for (uint64_t offset = 0;;) {
    ASSIGN_OR_RETURN(const size_t count, read(offset, buffer));
    if (count == 0) {
      return OkStatus();
    }
    RETURN_IF_ERROR(take(std::string_view(buffer.data(), count)));
    offset += count;
  }
}

/// Waits until it may read a whole file. Not thread-safe.
class HashingSlot {
 public:
  explicit HashingSlot(const ResumableUploadParts& parts) : slots_(parts.hashing) {
    slots_.acquire();
  }
  ~HashingSlot() { slots_.release(); }
  HashingSlot(const HashingSlot&) = delete;
  HashingSlot& operator=(const HashingSlot&) = delete;

 private:
  HashingSlots& slots_;
};

Result<blobs::ContentHashes> HashesOf(const ResumableUploadParts& parts,
                                      const blobs::SpoolFile& file) {
  const HashingSlot slot(parts);
  blobs::ContentHasher hasher;
  RETURN_IF_ERROR(ForEachPiece(
      [&](uint64_t offset, std::span<char> buffer) { return file.Read(offset, buffer); },
      [&](std::string_view piece) {
        hasher.Update(piece);
        return OkStatus();
      }));
  return hasher.hashes();
}

/// The time that an upload has from now on.
int64_t ExpiryFromNow(const ResumableUploadParts& parts, const Upload& upload) {
  constexpr int64_t kTimesMax = 7;
  const int64_t kept_ms = std::chrono::milliseconds(parts.config.upload_kept).count();
  return std::min(parts.clock.NowMs() + kept_ms, upload.started_ms + kTimesMax * kept_ms);
}

Status RemoveSpooled(const ResumableUploadParts& parts, std::string_view id) {
  ASSIGN_OR_RETURN(const auto claim, parts.spool.Take(id));
  RETURN_IF_ERROR(claim->Begin());
  return parts.spool.Remove(*claim);
}

/// Makes an image of bytes that are in the blob store. When the upload was given up meanwhile, they
/// go.
Result<CompletedUpload> CompleteStored(const ResumableUploadParts& parts, const Account& account,
                                       const Upload& upload, const UploadedBytes& bytes) {
  Result<CompletedUpload> completed =
      CompleteUpload(parts, account, upload, RequestOf(upload), bytes);
  if (!completed.ok() && completed.error().kind() == ErrorKind::kNotFound) {
    // It was given up meanwhile, perhaps before its bytes came to the blob store.
    ASSIGN_OR_RETURN(const auto image, parts.catalog.Find(upload.id));
    if (!image) {
      RETURN_IF_ERROR(parts.blobs.Delete(UploadBlob(parts, upload)));
    }
  }
  return completed;
}

/// Takes over what was put for a direct upload. May be repeated.
Result<std::shared_ptr<const blobs::OpenBlob>> TakeDirect(const ResumableUploadParts& parts,
                                                          const Upload& upload) {
  const blobs::BlobKey put{parts.config.uploads_bucket, DirectKey(upload.id)};
  const blobs::BlobKey taken = UploadBlob(parts, upload);
  ASSIGN_OR_RETURN(const std::optional<blobs::BlobInfo> info, parts.blobs.Head(put));
  if (info && info->bytes != static_cast<uint64_t>(upload.length)) {
    return Error(ErrorKind::kConditionFailed,
                 StrCat("There are ", info->bytes, " bytes, but ", upload.length,
                        " were announced. Put the file again."));
  }
  if (info) {
    RETURN_IF_ERROR(parts.blobs.Move(put, taken));
  }
  auto blob = parts.blobs.Open(taken);
  if (!blob.ok() && blob.error().kind() == ErrorKind::kNotFound) {
    return Error(ErrorKind::kConditionFailed, "The file has not been put yet.");
  }
  return blob;
}

/// A file that was read from one end to the other.
struct ReadBlob {
  blobs::ContentHashes hashes;
  std::string first_bytes;
};

Result<ReadBlob> ReadWhole(const ResumableUploadParts& parts, const blobs::OpenBlob& blob) {
  const HashingSlot slot(parts);
  ReadBlob read;
  blobs::ContentHasher hasher;
  RETURN_IF_ERROR(ForEachPiece(
      [&](uint64_t offset, std::span<char> buffer) { return blob.Read(offset, buffer); },
      [&](std::string_view piece) {
        read.first_bytes.append(piece.substr(0, kFirstBytes - read.first_bytes.size()));
        hasher.Update(piece);
        return OkStatus();
      }));
  read.hashes = hasher.hashes();
  return read;
}

/// The image of an upload whose bytes may all be there. Errors: kConditionFailed when they are
/// not; those of CompleteSpooled and CompleteDirect.
Result<CompletedUpload> CompleteForgotten(const ResumableUploadParts& parts,
                                          const blobs::SpoolClaim& claim, const Upload& upload,
                                          const TypeOf& type_of) {
  ASSIGN_OR_RETURN(const std::optional<Account> account, parts.accounts.Find(upload.user_id));
  if (account && upload.kind == UploadKind::kResumable && upload.offset == upload.length) {
    return CompleteSpooled(parts, claim, *account, upload);
  }
  if (account && upload.kind == UploadKind::kDirect) {
    return CompleteDirect(parts, claim, *account, upload, type_of);
  }
  return Error(ErrorKind::kConditionFailed,
               "Not all of its bytes are there, or its account is gone.");
}

/// Ends an upload whose time has passed: it becomes an image if all of its bytes are there. Errors:
/// kInUse while a request is at it, or when it has got more time meanwhile.
Status EndForgotten(const ResumableUploadParts& parts, std::string_view id, const TypeOf& type_of) {
  ASSIGN_OR_RETURN(const auto claim, parts.spool.Take(id));
  RETURN_IF_ERROR(claim->Begin());
  // Only now, when nobody else changes it.
  ASSIGN_OR_RETURN(const std::optional<Upload> upload, parts.intake.FindUpload(id));
  if (upload && upload->expires_ms > parts.clock.NowMs()) {
    return Error::InUse("It has got more time meanwhile.");
  }
  if (upload) {
    const auto completed = CompleteForgotten(parts, *claim, *upload, type_of);
    if (completed.ok() || IsRetryable(completed.error())) {
      return completed.ok() ? OkStatus() : Status(completed.error());
    }
    LogInfo("an upload is given up at its time",
            {{"id", upload->id}, {"reason", completed.error().message()}});
  }
  return AbandonClaimed(parts, *claim);
}

}  // namespace

Result<Upload> FindOwnUpload(const ResumableUploadParts& parts, const Account& account,
                             std::string_view id) {
  ASSIGN_OR_RETURN(std::optional<Upload> upload, parts.intake.FindUpload(id));
  if (!upload || upload->user_id != account.id || upload->kind == UploadKind::kStreamed) {
    return NoSuchUpload();
  }
  if (IsElsewhere(parts, *upload)) {
    return Error(ErrorKind::kUnavailable,
                 "This upload has begun on another node, which alone can go on with it.");
  }
  return *std::move(upload);
}

Result<Upload> FindDirectUpload(const ResumableUploadParts& parts, std::string_view id) {
  ASSIGN_OR_RETURN(std::optional<Upload> upload, parts.intake.FindUpload(id));
  if (!upload || upload->kind != UploadKind::kDirect) {
    return Error::NotFound("There is no such upload, or it has ended.");
  }
  return *std::move(upload);
}

Result<std::optional<CompletedUpload>> FindCompletedUpload(const ResumableUploadParts& parts,
                                                           const Account& account,
                                                           std::string_view id) {
  ASSIGN_OR_RETURN(std::optional<Image> image, parts.catalog.Find(id));
  bool duplicate = false;
  bool restored = false;
  if (!image) {
    ASSIGN_OR_RETURN(const auto answer, parts.intake.FindAnswer(id));
    if (answer && answer->user_id == account.id) {
      ASSIGN_OR_RETURN(image, parts.catalog.Find(answer->image_id));
      duplicate = true;
      restored = answer->restored;
    }
  }
  if (!image || image->user_id != account.id || image->is_trashed()) {
    return std::optional<CompletedUpload>();
  }
  ASSIGN_OR_RETURN(const std::optional<uint64_t> spooled, parts.spool.Bytes(id));
  if (spooled) {
    // Its end was written, but the writer did not hear of it, or is about to remove them.
    const Status removed = RemoveSpooled(parts, id);
    if (!removed.ok() && removed.error().kind() != ErrorKind::kInUse) {
      return removed.error();
    }
  }
  return std::optional<CompletedUpload>(CompletedUpload{*std::move(image), duplicate, restored});
}

Result<int64_t> KeptBytes(const ResumableUploadParts& parts, const Upload& upload) {
  ASSIGN_OR_RETURN(const std::optional<uint64_t> bytes, parts.spool.Bytes(upload.id));
  return std::min(upload.offset, static_cast<int64_t>(bytes.value_or(0)));
}

Status KeepProgress(const ResumableUploadParts& parts, Upload& upload, blobs::SpoolFile& file) {
  RETURN_IF_ERROR(file.Sync());
  Upload further = upload;
  further.offset = static_cast<int64_t>(file.bytes());
  further.expires_ms = ExpiryFromNow(parts, upload);
  RETURN_IF_ERROR(Transaction(StrCat("upload-progress ", upload.id))
                      .Add(Intake::SetProgress(further))
                      .Commit(parts.database, parts.retries));
  upload = std::move(further);
  return OkStatus();
}

Status ProlongUpload(const ResumableUploadParts& parts, const Upload& upload) {
  Upload longer = upload;
  longer.expires_ms = ExpiryFromNow(parts, upload);
  return Transaction(StrCat("prolong-upload ", upload.id))
      .Add(Intake::SetProgress(longer))
      .Commit(parts.database, parts.retries);
}

Result<CompletedUpload> CompleteSpooled(const ResumableUploadParts& parts,
                                        const blobs::SpoolClaim& claim, const Account& account,
                                        const Upload& upload,
                                        const std::optional<blobs::ContentHashes>& known) {
  ASSIGN_OR_RETURN(const auto file, parts.spool.Open(claim, static_cast<uint64_t>(upload.length)));
  blobs::ContentHashes hashes = known.value_or(blobs::ContentHashes());
  if (!known) {
    ASSIGN_OR_RETURN(hashes, HashesOf(parts, *file));
  }
  // An encrypted one is written anew, and only then the other one goes.
  if (!parts.room.HasForCopy(static_cast<uint64_t>(upload.length))) {
    return Error(ErrorKind::kUnavailable,
                 "The server's disk has no room to complete this just now. Try again later.");
  }
  RETURN_IF_ERROR(file->StoreIn(parts.blobs, UploadBlob(parts, upload)));
  Result<CompletedUpload> completed = CompleteStored(
      parts, account, upload, {upload.length, hashes.md5, hashes.sha256, upload.mime_type});
  if (completed.ok()) {
    RETURN_IF_ERROR(parts.spool.Remove(claim));
  }
  return completed;
}

Status CancelUpload(const ResumableUploadParts& parts, const Account& account,
                    std::string_view id) {
  // Before anybody is disturbed.
  RETURN_IF_ERROR(FindOwnUpload(parts, account, id));
  ASSIGN_OR_RETURN(const auto claim, parts.spool.Insist(id));
  RETURN_IF_ERROR(claim->Begin());
  // It may have become an image while this waited.
  RETURN_IF_ERROR(FindOwnUpload(parts, account, id));
  return AbandonClaimed(parts, *claim);
}

Result<CompletedUpload> CompleteDirect(const ResumableUploadParts& parts,
                                       const blobs::SpoolClaim& claim, const Account& account,
                                       const Upload& upload, const TypeOf& type_of) {
  ASSIGN_OR_RETURN(const auto blob, TakeDirect(parts, upload));
  ASSIGN_OR_RETURN(const ReadBlob read, ReadWhole(parts, *blob));
  if (upload.sha256 && *upload.sha256 != read.hashes.sha256) {
    RETURN_IF_ERROR(AbandonClaimed(parts, claim));
    return Error(kChecksumMismatch, "The file has another SHA-256 than was announced.");
  }
  return CompleteStored(parts, account, upload,
                        {static_cast<int64_t>(blob->bytes()), read.hashes.md5, read.hashes.sha256,
                         type_of(read.first_bytes)});
}

Status ExpireUpload(const ResumableUploadParts& parts, const Work& work, const TypeOf& type_of) {
  ASSIGN_OR_RETURN(const std::optional<Upload> upload, parts.intake.FindUpload(work.uuid));
  const auto postpone = [&](int64_t due_ms) {
    return Transaction(StrCat("postpone ", work.id))
        .Add(parts.backlog.Continue(work, due_ms))
        .Commit(parts.database, parts.retries);
  };
  if (upload && upload->expires_ms > parts.clock.NowMs()) {
    return postpone(upload->expires_ms);
  }
  constexpr std::chrono::milliseconds kLookAgain = std::chrono::minutes(1);
  const int64_t kept_ms = std::chrono::milliseconds(parts.config.upload_kept).count();
  if (upload && IsElsewhere(parts, *upload) && parts.clock.NowMs() < upload->expires_ms + kept_ms) {
    // That node may have all of its bytes. Should it never come back, they are lost in any case.
    return postpone(parts.clock.NowMs() + std::min(kLookAgain.count(), kept_ms));
  }
  Status ended = EndForgotten(parts, work.uuid, type_of);
  if (!ended.ok() && ended.error().kind() == ErrorKind::kInUse) {
    // Its bytes come in one request that lasts longer than its time: that may well succeed.
    return postpone(parts.clock.NowMs() + std::min(kLookAgain.count(), kept_ms));
  }
  return ended;
}

Status RemoveOrphanedSpool(const ResumableUploadParts& parts) {
  ASSIGN_OR_RETURN(const std::vector<std::string> ids, parts.spool.List());
  for (const std::string& id : ids) {
    ASSIGN_OR_RETURN(const auto upload, parts.intake.FindUpload(id));
    if (!upload) {
      RETURN_IF_ERROR(RemoveSpooled(parts, id));
      LogInfo("bytes of an upload that has ended removed", {{"id", id}});
    }
  }
  return OkStatus();
}

}  // namespace tintype::flows
