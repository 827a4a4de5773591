#include "http/rest/uploads/streamed_call.h"

#include <chrono>
#include <memory>
#include <utility>

#include "http/rest/api/audited_operations.h"
#include "http/rest/api/request_metrics.h"
#include "http/rest/uploads/handlers.h"

namespace tintype::http::rest {

StreamedCall::StreamedCall(const Call& call)
    : head_{.method = call.request.method,
            .target = call.request.target,
            .headers = call.request.headers,
            .body = {},
            .peer = call.request.peer,
            .address = call.request.address,
            .https = call.request.https},
      call_{head_,         call.target, call.parameters, call.request_id,
            call.trace_id, call.caller, call.operation} {}

Status StreamedCall::AdmitCaller(Api& api) {
  return call_.caller ? Admit(api, call_, *call_.caller) : OkStatus();
}

Response StreamedCall::Deny(Api& api, const Error& error) const {
  Call denied = call_;
  CallNotes notes;
  denied.notes = &notes;
  Response response = Refuse(denied, error);
  AuditAnswer(api.audit, denied, response);
  return response;
}

void StreamedCall::TakeOnPool(Api& api, Pool& pool, std::function<std::optional<Response>()> take,
                              OnceCallback<std::optional<Response>> next) {
  auto shared = std::make_shared<OnceCallback<std::optional<Response>>>(std::move(next));
  // Any refusal, the pool's too, says what every answer to an upload does.
  const auto answer = [this, &api, shared, started = std::chrono::steady_clock::now()](
                          std::optional<Response> refusal) {
    if (refusal) {
      RequestMetrics::CountRarely(api.metrics, *call_.operation, refusal->status,
                                  std::chrono::steady_clock::now() - started);
      AddUploadHeaders(call_, *refusal);
      refusal->headers.emplace_back("X-Request-Id", call_.request_id);
    }
    (*shared)(std::move(refusal));
  };
  pool.Submit(
      [this, &api, take = std::move(take), answer] {
        const Status admitted = AdmitCaller(api);
        answer(admitted.ok() ? take() : std::optional(Deny(api, admitted.error())));
      },
      [this, answer] { answer(Refuse(call_, ServerBusy())); });
}

}  // namespace tintype::http::rest
