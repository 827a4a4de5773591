#pragma once

#include <memory>
#include <optional>
#include <string>

#include "blobs/blob_store.h"
#include "blobs/spool.h"
#include "contexts/intake/upload.h"
#include "http/rest/api/api.h"
#include "http/rest/protocol/pool.h"
#include "http/rest/uploads/streamed_call.h"

namespace tintype::http::rest {

/// Takes what a client puts by the link of a direct upload, as it arrives, to the blob store, when
/// that has no links of its own. All or nothing, and one at a time. Pieces are written on the pool.
class DirectSink : public BodySink {
 public:
  /// Keeps nothing of what `call` refers to.
  DirectSink(Api& api, Pool& pool, const Call& call);

  void Write(std::string_view piece, OnceCallback<std::optional<Response>> next) override;

  /// The end of the body: the answer to the request. Blocks.
  Response Finish();

 private:
  Status Begin();
  Status Take(std::string_view piece);
  Status Commit();
  void LetGo();

  Api& api_;
  Pool& pool_;
  StreamedCall call_;
  std::unique_ptr<blobs::SpoolClaim> claim_;
  std::optional<contexts::intake::Upload> upload_;
  std::unique_ptr<blobs::BlobWriter> writer_;
  int64_t bytes_ = 0;
};

}  // namespace tintype::http::rest
