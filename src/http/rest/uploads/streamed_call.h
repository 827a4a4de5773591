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

  /// Confirms who makes the call, and that they may (Admit); fine for operations for anyone. May
  /// block.
  Status AdmitCaller(Api& api);

  /// Has `take` run on the pool, and `next` told what it refuses; refuses itself when the pool
  /// does, or when the caller may not make the call, or not any more: so an upload stops within a
  /// second when its session ends. A refusal is the request's answer, and counted as such. When
  /// `next` is told, this may be gone.
  void TakeOnPool(Api& api, Pool& pool, std::function<std::optional<Response>()> take,
                  OnceCallback<std::optional<Response>> next);

 private:
  /// The answer to a caller who was not admitted, which the audit is told of.
  Response Deny(Api& api, const Error& error) const;

  const Request head_;
  Call call_;  // Refers to head_. One piece of the body is taken at a time.
};

}  // namespace tintype::http::rest
