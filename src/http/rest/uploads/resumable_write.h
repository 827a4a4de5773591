#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "blobs/hashing_writer.h"
#include "blobs/spool.h"
#include "crypto/digest.h"
#include "flows/uploads/resumable_upload.h"
#include "http/rest/api/api.h"
#include "http/rest/uploads/tus.h"

namespace tintype::http::rest {

/// What one request adds to a resumable upload. Between its calls a request that resumes the upload
/// may take it over; then every further call fails with 423. Added bytes survive, and are
/// acknowledged, with Finish; before that every now and then.
/// Not thread-safe; all calls block. Errors have the reasons that tus tells apart.
class ResumableWrite {
 public:
  ResumableWrite(Api& api, flows::Account account);
  ~ResumableWrite();

  /// Begins a new upload.
  Status Create(const flows::UploadRequest& request, const flows::LongUpload& announced);
  /// Goes on with one at `offset`. `more` is how many bytes will come, if that is known. Errors:
  /// 404 when there is none of this account, 410 when its time has passed, 409 when it is at
  /// another offset, 413 when that would be too many bytes, 423 while another request is at it.
  Status Open(const std::string& id, int64_t offset, std::optional<int64_t> more);
  /// Takes over from a request that does nothing any more, and keeps what that has added. Errors:
  /// as Open, and 415.
  Status TakeOver(const std::string& id);
  /// The added bytes count only if they have this checksum. Call before anything is added. Errors:
  /// 400 for an algorithm that is not known.
  Status Expect(const TusChecksum& checksum);

  /// Errors: 413, 415 (then the upload is given up), 423, 503.
  Status Append(std::string_view piece);

  /// The end of what the request brings: it is kept, and when it was the last of the upload, the
  /// image is made. Nothing when more has to come. Errors: 460 when it has another checksum, and
  /// then nothing was added; those of completing, which can be repeated.
  Result<std::optional<flows::CompletedUpload>> Finish();

  /// Lets go of the upload, before the client is answered: its next request may be here at once. If
  /// the request has ended before its body did, the bytes that came are kept as far as they are of
  /// use.
  void Leave();

  const contexts::intake::Upload& upload() const { return upload_; }

 private:
  Status Inherit();
  Status OpenFile(int64_t offset);
  Status FindType();
  Status CompareChecksum();
  Status Keep();
  void KeepOrGiveUp();
  void GiveUp();

  Api& api_;
  const flows::Account account_;
  std::unique_ptr<blobs::SpoolClaim> claim_;
  std::unique_ptr<blobs::SpoolFile> file_;
  std::optional<blobs::ContentHasher> hasher_;  // When all bytes come with this request.
  contexts::intake::Upload upload_;
  bool created_ = false;  // By this request, whose client knows of it only when it is answered.
  bool finished_ = false;
  std::optional<crypto::Digest> checksum_;
  std::string expected_digest_;
  std::chrono::steady_clock::time_point kept_at_ = std::chrono::steady_clock::now();
};

/// Makes the image of an upload whose bytes are all there, though its own requests did not come to
/// that. Errors: 423 while one of them is at it; those of completing.
/// 404 when there is none, perhaps because it is completed meanwhile.
Result<flows::CompletedUpload> CompleteKept(Api& api, const flows::Account& account,
                                            const std::string& id);

}  // namespace tintype::http::rest
