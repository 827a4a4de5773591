#include "http/rest/resumable_write.h"

#include <algorithm>
#include <utility>

#include "base/logging.h"
#include "base/strings.h"
#include "contexts/common/secrets.h"
#include "darkroom/media_type.h"
#include "http/rest/upload_answers.h"

namespace tintype::http::rest {
namespace {

using contexts::intake::Upload;
using contexts::intake::UploadKind;

/// What a power cut may cost, at most: so much, or what came in such a time.
constexpr int64_t kUnkeptBytesMax = int64_t{64} << 20;
constexpr std::chrono::seconds kUnkeptTimeMax{30};

Result<std::unique_ptr<blobs::SpoolClaim>> TakeClaim(Api& api, const std::string& id) {
  auto claim = api.product.spool.Take(id);
  if (!claim.ok() && claim.error().code() == ErrorCode::kInUse) {
    return BeingWritten();
  }
  return claim;
}

/// The upload that a claim is for. Errors: 404, 410.
Result<Upload> FindUpload(Api& api, const flows::Account& account, const std::string& id) {
  ASSIGN_OR_RETURN(Upload upload, flows::FindOwnUpload(api.product, account, id));
  if (upload.kind != UploadKind::kResumable) {
    return Error::NotFound("There is no such upload.");
  }
  if (upload.expires_ms <= api.product.clock.NowMs()) {
    return RefusalError(410, "UploadExpired", "The time of this upload has passed.");
  }
  return upload;
}

Error TooManyBytes(const Upload& upload) {
  return {ErrorCode::kRequestTooLarge,
          StrCat("That would be more than the ", upload.length, " bytes of Upload-Length.")};
}

}  // namespace

Error BeingWritten() {
  return RefusalError(423, "UploadInUse", "Another request is at this upload. Try again.", 1);
}

/// Holds off those who would take the upload over.
class ResumableWrite::Turn {
 public:
  explicit Turn(blobs::SpoolClaim& claim) : claim_(claim), begun_(claim.Begin().ok()) {}
  ~Turn() {
    if (begun_) {
      claim_.End();
    }
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  Status status() const { return begun_ ? OkStatus() : Status(BeingWritten()); }

 private:
  blobs::SpoolClaim& claim_;
  const bool begun_;
};

ResumableWrite::ResumableWrite(Api& api, flows::Account account)
    : api_(api), account_(std::move(account)) {}

ResumableWrite::~ResumableWrite() = default;

Status ResumableWrite::Create(const flows::UploadRequest& request,
                              const flows::LongUpload& announced) {
  RETURN_IF_ERROR(CheckDisk(api_, announced.length));
  ASSIGN_OR_RETURN(upload_, flows::BeginLongUpload(api_.product, account_, request, announced));
  created_ = true;
  ASSIGN_OR_RETURN(claim_, TakeClaim(api_, upload_.id));
  const Turn turn(*claim_);
  RETURN_IF_ERROR(turn.status());
  return OpenFile(0);
}

Status ResumableWrite::Open(const std::string& id, int64_t offset, std::optional<int64_t> more) {
  ASSIGN_OR_RETURN(claim_, TakeClaim(api_, id));
  const Turn turn(*claim_);
  RETURN_IF_ERROR(turn.status());
  // Only now, when nobody else changes it.
  ASSIGN_OR_RETURN(upload_, FindUpload(api_, account_, id));
  ASSIGN_OR_RETURN(const int64_t kept, flows::KeptBytes(api_.product, upload_));
  if (offset != kept) {
    return RefusalError(409, "WrongOffset",
                        StrCat("The upload is at ", kept, ", not at ", offset, "."));
  }
  if (more && *more > upload_.length - offset) {
    return TooManyBytes(upload_);
  }
  RETURN_IF_ERROR(CheckDisk(api_, more.value_or(0)));
  return OpenFile(kept);
}

Status ResumableWrite::OpenFile(int64_t offset) {
  ASSIGN_OR_RETURN(file_, api_.product.spool.Open(*claim_, static_cast<uint64_t>(offset)));
  upload_.offset = offset;
  return OkStatus();
}

Status ResumableWrite::Expect(const TusChecksum& checksum) {
  checksum_ = blobs::Checksum::Of(checksum.algorithm);
  expected_digest_ = checksum.digest;
  return checksum_ ? OkStatus()
                   : Status(RefusalError(400, "UnknownChecksumAlgorithm",
                                         StrCat("Upload-Checksum is one of ", kTusChecksums, ".")));
}

Status ResumableWrite::Append(std::string_view piece) {
  const Turn turn(*claim_);
  RETURN_IF_ERROR(turn.status());
  RETURN_IF_ERROR(CheckDisk(api_, static_cast<int64_t>(piece.size())));
  if (file_->bytes() + piece.size() > static_cast<uint64_t>(upload_.length)) {
    return TooManyBytes(upload_);
  }
  RETURN_IF_ERROR(file_->Append(piece));
  if (checksum_) {
    // Nothing is known of the bytes before all of them are compared.
    checksum_->Update(piece);
    return OkStatus();
  }
  RETURN_IF_ERROR(CheckType());
  const int64_t unkept = static_cast<int64_t>(file_->bytes()) - upload_.offset;
  if (unkept >= kUnkeptBytesMax || std::chrono::steady_clock::now() - kept_at_ > kUnkeptTimeMax) {
    return Keep();
  }
  return OkStatus();
}

// As early as it can be told, so that a large file of another kind is not sent for nothing.
Status ResumableWrite::CheckType() {
  const auto needed =
      std::min<uint64_t>(darkroom::kMediaTypeBytes, static_cast<uint64_t>(upload_.length));
  if (!upload_.mime_type.empty() || file_->bytes() < needed) {
    return OkStatus();
  }
  std::string first_bytes(needed, '\0');
  ASSIGN_OR_RETURN(const size_t count, file_->Read(0, first_bytes));
  Result<std::string> type = AcceptedType(std::string_view(first_bytes).substr(0, count));
  if (!type.ok()) {
    GiveUp();
    return type.error();
  }
  upload_.mime_type = *std::move(type);
  return OkStatus();
}

Status ResumableWrite::Keep() {
  RETURN_IF_ERROR(flows::KeepProgress(api_.product, upload_, *file_));
  kept_at_ = std::chrono::steady_clock::now();
  return OkStatus();
}

Status ResumableWrite::CompareChecksum() {
  if (contexts::EqualInConstantTime(checksum_->Finish(), expected_digest_)) {
    return CheckType();
  }
  RETURN_IF_ERROR(file_->Cut(static_cast<uint64_t>(upload_.offset)));
  return RefusalError(460, "ChecksumMismatch",
                      "The bytes have another checksum than Upload-Checksum. None were added.");
}

Result<std::optional<flows::CompletedUpload>> ResumableWrite::Finish() {
  const Turn turn(*claim_);
  RETURN_IF_ERROR(turn.status());
  if (checksum_) {
    RETURN_IF_ERROR(CompareChecksum());
  }
  if (static_cast<int64_t>(file_->bytes()) > upload_.offset) {
    RETURN_IF_ERROR(Keep());
  }
  finished_ = true;
  if (upload_.offset < upload_.length) {
    return std::optional<flows::CompletedUpload>();
  }
  ASSIGN_OR_RETURN(flows::CompletedUpload completed,
                   flows::CompleteSpooled(api_.product, *claim_, account_, upload_));
  api_.wake();
  return std::optional(std::move(completed));
}

void ResumableWrite::Leave() {
  if (claim_ == nullptr) {
    return;
  }
  if (!finished_) {
    const Turn turn(*claim_);
    if (turn.status().ok()) {
      KeepOrGiveUp();
    }
  }
  file_.reset();
  claim_.reset();
}

void ResumableWrite::KeepOrGiveUp() {
  if (created_) {
    GiveUp();
  } else if (file_ != nullptr && !checksum_ &&
             static_cast<int64_t>(file_->bytes()) > upload_.offset) {
    // What cannot be kept now is cut when the upload goes on.
    Keep().PermitUncheckedError();
  }
}

void ResumableWrite::GiveUp() {
  finished_ = true;
  file_.reset();
  const Status abandoned = flows::AbandonClaimed(api_.product, *claim_);
  if (!abandoned.ok()) {
    LogWarning("upload not given up yet",
               {{"id", upload_.id}, {"error", abandoned.error().message()}});
  }
}

Result<flows::CompletedUpload> CompleteKept(Api& api, const flows::Account& account,
                                            const std::string& id) {
  ASSIGN_OR_RETURN(const auto claim, TakeClaim(api, id));
  RETURN_IF_ERROR(claim->Begin());
  ASSIGN_OR_RETURN(const Upload upload, FindUpload(api, account, id));
  ASSIGN_OR_RETURN(flows::CompletedUpload completed,
                   flows::CompleteSpooled(api.product, *claim, account, upload));
  api.wake();
  return completed;
}

}  // namespace tintype::http::rest
