#pragma once

#include <memory>
#include <optional>

#include "http/rest/api/api.h"
#include "http/rest/protocol/pool.h"
#include "http/rest/uploads/resumable_write.h"
#include "http/rest/uploads/streamed_call.h"

namespace tintype::http::rest {

/// Takes the body of a tus request, a creation or one that goes on, as it arrives, to the spool.
/// When the client goes away, the bytes that came of a request that goes on are kept. Pieces are
/// written on the pool.
class TusSink : public BodySink {
 public:
  /// Keeps nothing of what `call` refers to.
  TusSink(Api& api, Pool& pool, const Call& call, bool creates);
  ~TusSink() override;

  void Write(std::string_view piece, OnceCallback<std::optional<Response>> next) override;
  /// The client of a creation does not know yet what to go on with.
  bool KeepsPart() const override { return !creates_; }

  /// The end of the body: the answer to the request. Blocks.
  Response Finish();

 private:
  /// REQUIRES: the caller was admitted, and nothing has begun.
  Status Begin();
  Status Take(std::string_view piece);

  Api& api_;
  Pool& pool_;
  StreamedCall call_;
  const bool creates_;
  bool begun_ = false;
  std::unique_ptr<ResumableWrite> write_;  // Since it has begun.
};

/// What is wrong with a tus request that its header tells: 412 for another version, 415 for a body
/// of another type.
std::optional<Response> RefuseTusHead(const Call& call, bool has_body);

/// Begins what a tus request does, by its header.
Status BeginTus(Api& api, const Call& call, bool creates, ResumableWrite& write);
/// Ends it, and answers. Blocks.
Response FinishTus(Api& api, const Call& call, bool creates, ResumableWrite& write);

}  // namespace tintype::http::rest
