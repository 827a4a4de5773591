#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "blobs/hashing_writer.h"
#include "blobs/spool.h"
#include "flows/uploads/upload.h"
#include "http/rest/api/api.h"
#include "http/rest/protocol/pool.h"
#include "http/rest/uploads/multipart.h"
#include "http/rest/uploads/streamed_call.h"

namespace tintype::http::rest {

/// Takes the body of `POST /api/v1/images` as it arrives, raw or as a form, to the blob store. The
/// upload begins with the first byte. Destroyed before it was completed, it gives the upload up.
/// Pieces are written on the pool.
class UploadSink : public BodySink {
 public:
  /// Keeps nothing of what `call` refers to.
  UploadSink(Api& api, Pool& pool, const Call& call);
  ~UploadSink() override;

  void Write(std::string_view piece, OnceCallback<std::optional<Response>> next) override;

  /// The end of the body: the answer to the request. Blocks.
  Response Finish();

 private:
  Status Begin();
  /// What the query, or else the form as far as it was read, says about the photo.
  Status ReadParameters();
  Status Take(std::string_view bytes);
  Status TakeFile(std::string_view bytes);
  /// Has the account's quota pay for what came beyond what was announced.
  Status TakeRoom();
  Result<flows::CompletedUpload> Complete();

  Api& api_;
  Pool& pool_;
  StreamedCall call_;
  flows::UploadRequest request_;
  std::optional<MultipartReader> form_;
  std::optional<contexts::intake::Upload> upload_;
  /// Begun until the end, however slowly bytes come: nobody else goes on with such an upload, and
  /// it is not given up for being slow.
  std::unique_ptr<blobs::SpoolClaim> claim_;
  std::unique_ptr<blobs::HashingWriter> writer_;
  std::string first_bytes_;
  int64_t bytes_ = 0;
  int64_t charged_ = 0;  // So many the quota has paid for, whether they have come or not.
  bool completed_ = false;
  flows::LateBytes late_bytes_ = flows::LateBytes::kNone;
};

}  // namespace tintype::http::rest
