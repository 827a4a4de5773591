#include "http/rest/streamed_call.h"

#include <memory>
#include <utility>

namespace tintype::http::rest {

StreamedCall::StreamedCall(const Call& call)
    : head_{.method = call.request.method,
            .target = call.request.target,
            .headers = call.request.headers,
            .body = {},
            .peer = call.request.peer},
      call_{head_, call.target, call.parameters, call.request_id, call.trace_id, call.caller} {}

void StreamedCall::TakeOnPool(Pool& pool, std::function<std::optional<Response>()> take,
                              OnceCallback<std::optional<Response>> next) const {
  auto shared = std::make_shared<OnceCallback<std::optional<Response>>>(std::move(next));
  pool.Submit([take = std::move(take), shared] { (*shared)(take()); },
              [this, shared] { (*shared)(Refuse(call_, ServerBusy())); });
}

}  // namespace tintype::http::rest
