#include "http/rest/uploads/resumable_write.h"

#include <algorithm>
#include <utility>

#include "base/logging.h"
#include "base/strings.h"
#include "contexts/common/secrets.h"
#include "crypto/digest.h"
#include "darkroom/media_type.h"
#include "http/rest/protocol/reasons.h"
#include "http/rest/uploads/upload_answers.h"
#include "http/rest/uploads/upload_claim.h"

namespace tintype::http::rest {
namespace {

using contexts::intake::Upload;
using contexts::intake::UploadKind;

/// What a killed server may cost at most: so much, or what came in such a time, beside the second
/// for which a server holds back what comes slowly.
constexpr int64_t kUnkeptBytesMax = int64_t{8} << 20;
constexpr std::chrono::seconds kUnkeptTimeMax{1};

/// The upload that a claim is for. Errors: 404, 410.
Result<Upload> FindUpload(Api& api, const flows::Account& account, const std::string& id) {
  ASSIGN_OR_RETURN(Upload upload, flows::FindOwnUpload(api.product, account, id));
  if (upload.kind != UploadKind::kResumable) {
    return Error::NotFound("There is no such upload.");
  }
  if (upload.expires_ms <= api.product.clock.NowMs()) {
    return Error(reasons::kUploadExpired, "The time of this upload has passed.");
  }
  return upload;
}

/// The kinds that kTusChecksums names; nothing for any other.
std::optional<crypto::DigestKind> DigestKindOf(std::string_view algorithm) {
  if (algorithm == "sha1") return crypto::DigestKind::kSha1;
  if (algorithm == "sha256") return crypto::DigestKind::kSha256;
  if (algorithm == "md5") return crypto::DigestKind::kMd5;
  return std::nullopt;
}

Error TooManyBytes(const Upload& upload) {
  return {ErrorKind::kRequestTooLarge,
          StrCat("That would be more than the ", upload.length, " bytes of Upload-Length.")};
}

/// Whether bytes may be added at an offset. Errors: 409, 413.
Status CheckOffset(Api& api, const Upload& upload, int64_t offset, std::optional<int64_t> more) {
  ASSIGN_OR_RETURN(const int64_t kept, flows::KeptBytes(api.product, upload));
  if (offset != kept) {
    return Error(reasons::kWrongOffset,
                 StrCat("The upload is at ", kept, ", not at ", offset, "."));
  }
  return more && *more > upload.length - offset ? Status(TooManyBytes(upload)) : OkStatus();
}

}  // namespace

ResumableWrite::ResumableWrite(Api& api, flows::Account account)
    : api_(api), account_(std::move(account)) {}

ResumableWrite::~ResumableWrite() = default;

Status ResumableWrite::Create(const flows::UploadRequest& request,
                              const flows::LongUpload& announced) {
  RETURN_IF_ERROR(CheckDisk(api_, announced.length));
  ASSIGN_OR_RETURN(upload_, flows::BeginLongUpload(api_.product, account_, request, announced));
  created_ = true;
  ASSIGN_OR_RETURN(claim_, TakeUpload(api_, upload_.id));
  const UploadTurn turn(*claim_);
  RETURN_IF_ERROR(turn.status());
  return OpenFile(0);
}

Status ResumableWrite::Open(const std::string& id, int64_t offset, std::optional<int64_t> more) {
  // Before anybody is held off, or loses the upload: only who may go on with it takes it over.
  ASSIGN_OR_RETURN(const Upload before, FindUpload(api_, account_, id));
  RETURN_IF_ERROR(CheckOffset(api_, before, offset, more));
  ASSIGN_OR_RETURN(claim_, TakeUpload(api_, id));
  const UploadTurn turn(*claim_);
  RETURN_IF_ERROR(turn.status());
  // And once more, now that nobody else changes it.
  ASSIGN_OR_RETURN(upload_, FindUpload(api_, account_, id));
  RETURN_IF_ERROR(Inherit());
  RETURN_IF_ERROR(CheckOffset(api_, upload_, offset, more));
  RETURN_IF_ERROR(CheckDisk(api_, more.value_or(0)));
  RETURN_IF_ERROR(OpenFile(offset));
  if (offset == 0 && more == upload_.length) {
    hasher_.emplace();
  }
  return OkStatus();
}

Status ResumableWrite::TakeOver(const std::string& id) {
  RETURN_IF_ERROR(FindUpload(api_, account_, id));
  ASSIGN_OR_RETURN(claim_, TakeUpload(api_, id));
  const UploadTurn turn(*claim_);
  RETURN_IF_ERROR(turn.status());
  ASSIGN_OR_RETURN(upload_, FindUpload(api_, account_, id));
  return Inherit();
}

// Keeps what a request has added that lost the upload to this one.
Status ResumableWrite::Inherit() {
  const uint64_t usable = claim_->usable_bytes();
  if (usable <= static_cast<uint64_t>(upload_.offset)) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(file_, api_.product.spool.Open(*claim_, usable));
  RETURN_IF_ERROR(FindType());
  return Keep();
}

Status ResumableWrite::OpenFile(int64_t offset) {
  ASSIGN_OR_RETURN(file_, api_.product.spool.Open(*claim_, static_cast<uint64_t>(offset)));
  upload_.offset = offset;
  return OkStatus();
}

Status ResumableWrite::Expect(const TusChecksum& checksum) {
  if (const auto kind = DigestKindOf(checksum.algorithm)) {
    checksum_.emplace(*kind);
  }
  expected_digest_ = checksum.digest;
  return checksum_ ? OkStatus()
                   : Status(Error(reasons::kUnknownChecksumAlgorithm,
                                  StrCat("Upload-Checksum is one of ", kTusChecksums, ".")));
}

Status ResumableWrite::Append(std::string_view piece) {
  const UploadTurn turn(*claim_);
  RETURN_IF_ERROR(turn.status());
  RETURN_IF_ERROR(CheckDisk(api_, static_cast<int64_t>(piece.size())));
  if (file_->bytes() + piece.size() > static_cast<uint64_t>(upload_.length)) {
    return TooManyBytes(upload_);
  }
  RETURN_IF_ERROR(file_->Append(piece));
  if (hasher_) {
    hasher_->Update(piece);
  }
  if (checksum_) {
    // Nothing is known of the bytes before all of them are compared.
    checksum_->Update(piece);
    return OkStatus();
  }
  RETURN_IF_ERROR(FindType());
  claim_->SetUsableBytes(file_->bytes());
  const int64_t unkept = static_cast<int64_t>(file_->bytes()) - upload_.offset;
  if (unkept >= kUnkeptBytesMax || std::chrono::steady_clock::now() - kept_at_ > kUnkeptTimeMax) {
    return Keep();
  }
  return OkStatus();
}

// As soon as it can be told: the file may go on at another node.
Status ResumableWrite::FindType() {
  const auto needed =
      std::min<uint64_t>(darkroom::kMediaTypeBytes, static_cast<uint64_t>(upload_.length));
  if (!upload_.mime_type.empty() || file_->bytes() < needed) {
    return OkStatus();
  }
  std::string first_bytes(needed, '\0');
  ASSIGN_OR_RETURN(const size_t count, file_->Read(0, first_bytes));
  upload_.mime_type = darkroom::UploadedType(std::string_view(first_bytes).substr(0, count));
  return OkStatus();
}

Status ResumableWrite::Keep() {
  if (Status kept = flows::KeepProgress(api_.product, upload_, *file_); !kept.ok()) {
    // After a failed sync nobody knows which bytes there are.
    claim_->SetUsableBytes(0);
    return kept;
  }
  kept_at_ = std::chrono::steady_clock::now();
  return OkStatus();
}

Status ResumableWrite::CompareChecksum() {
  if (crypto::EqualInConstantTime(checksum_->Value(), expected_digest_)) {
    return FindType();
  }
  RETURN_IF_ERROR(file_->Cut(static_cast<uint64_t>(upload_.offset)));
  return Error(reasons::kPartChecksumMismatch,
               "The bytes have another checksum than Upload-Checksum. None were added.");
}

Result<std::optional<flows::CompletedUpload>> ResumableWrite::Finish() {
  const UploadTurn turn(*claim_);
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
  ASSIGN_OR_RETURN(
      flows::CompletedUpload completed,
      flows::CompleteSpooled(api_.product, *claim_, account_, upload_,
                             hasher_ ? std::optional(hasher_->hashes()) : std::nullopt));
  api_.wake();
  return std::optional(std::move(completed));
}

void ResumableWrite::Leave() {
  if (claim_ == nullptr) {
    return;
  }
  if (!finished_) {
    const UploadTurn turn(*claim_);
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
    // Bytes that cannot be kept now are cut when the upload goes on.
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
  ASSIGN_OR_RETURN(const auto claim, TakeUpload(api, id));
  const UploadTurn turn(*claim);
  RETURN_IF_ERROR(turn.status());
  ASSIGN_OR_RETURN(const Upload upload, FindUpload(api, account, id));
  ASSIGN_OR_RETURN(flows::CompletedUpload completed,
                   flows::CompleteSpooled(api.product, *claim, account, upload));
  api.wake();
  return completed;
}

}  // namespace tintype::http::rest
