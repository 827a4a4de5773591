#pragma once

#include "http/server/message.h"

namespace tintype::http::rest {

/// Answers while the REST endpoint is not there yet: health checks as ever, everything else with
/// 503. Clients that want to go on with an upload are answered 423, since they take any other
/// refusal for its end and begin anew. Owned by the program's wiring; thread-safe.
class StartingHandler : public Handler {
 public:
  /// `health` answers `/healthz` and `/readyz`; it outlives this.
  explicit StartingHandler(Handler& health) : health_(health) {}

  void Handle(Request request, Respond respond) override;
  BodyDecision TakeBody(const Request& head) override;
  Response Refuse(int status, std::string_view reason) override;

 private:
  Handler& health_;
};

/// Whether a request asks how far an upload is.
bool AsksForUpload(const Request& request);
/// Makes a refusal for now, 500 and above, of such a request one after which clients come back:
/// 423.
void KeepUploadAlive(Response& response);

}  // namespace tintype::http::rest
