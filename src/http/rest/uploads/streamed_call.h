#pragma once

#include <functional>
#include <optional>

#include "http/rest/api/api.h"
#include "http/rest/protocol/pool.h"

namespace tintype::http::rest {

/// What the sinks of streamed bodies share: a call that stays when the request it came with is
/// gone, and the way to the pool and back.
class StreamedCall {
 public:
  /// Keeps nothing of what `call` refers to.
  explicit StreamedCall(const Call& call);
  StreamedCall(const StreamedCall&) = delete;
  StreamedCall& operator=(const StreamedCall&) = delete;

  const Call& operator*() const { return call_; }
  const Call* operator->() const { return &call_; }

  /// Has `take` run on the pool, and `next` told what it refuses; refuses itself when the pool
  /// does. A refusal is the request's answer, and counted as such. When `next` is told, this may be
  /// gone.
  void TakeOnPool(Api& api, Pool& pool, std::function<std::optional<Response>()> take,
                  OnceCallback<std::optional<Response>> next) const;

 private:
  const Request head_;
  const Call call_;  // Refers to head_.
};

}  // namespace tintype::http::rest
