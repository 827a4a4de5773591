#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "blobs/blob_store.h"
#include "http/rest/api/api.h"
#include "http/rest/protocol/pool.h"
#include "http/rest/uploads/streamed_call.h"

namespace tintype::http::rest {

/// Takes the file of a profile picture as it arrives, into an unfinished blob that is never
/// committed: nothing of what was sent stays but the picture that is made of it. Pieces are written
/// on the pool.
class PictureSink : public BodySink {
 public:
  /// Keeps nothing of what `call` refers to.
  PictureSink(Api& api, Pool& pool, const Call& call);

  void Write(std::string_view piece, OnceCallback<std::optional<Response>> next) override;

  /// The end of the body: makes the picture the caller's. The answer to the request. Blocks.
  Response Finish();

 private:
  Status Take(std::string_view piece);
  Result<flows::Account> SetPicture();

  Api& api_;
  Pool& pool_;
  StreamedCall
      call_;  // Whose caller each piece confirms; that of the request with the end has none.
  std::unique_ptr<blobs::BlobWriter> unfinished_;
  int64_t bytes_ = 0;
};

/// Errors: 413 for a file that is larger than profile pictures may be.
Status CheckPictureSize(int64_t bytes);

}  // namespace tintype::http::rest
