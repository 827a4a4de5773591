// A service that is reached through RemoteDatabase: the case's JSON is decoded to a typed request,
// sent on by the client, and the typed response encoded again. The service is the one that
// PEER_ENDPOINT and CONFORMANCE_PEER (a preset of capabilities) name, or a server in this process.
// What it is known to fail is in the folder known_failures.

#include <cstdlib>
#include <future>
#include <optional>

#include "backend.h"
#include "base/strings.h"
#include "http/dynamodb/dispatch.h"
#include "local_server.h"
#include "tables/remote/remote_database.h"

namespace tintype::conformance {
namespace {

using tables::remote::Capabilities;
using tables::remote::RemoteDatabase;

class RemoteBackend : public Backend {
 public:
  RemoteBackend() {
    tables::remote::RemoteConfig config;
    const char* const endpoint = std::getenv("PEER_ENDPOINT");
    if (endpoint != nullptr) {
      service_ = std::getenv("CONFORMANCE_PEER");
      config.endpoint = endpoint;
      config.credentials = {"AKIACONFORMANCE", "secret", std::nullopt};
    } else {
      service_ = "tintype";
      server_.emplace();
      config.endpoint = StrCat("http://127.0.0.1:", server_->port());
      config.credentials = server_->credentials();
    }
    config.capabilities = Capabilities::Named(service_).value();
    database_ = RemoteDatabase::Open(config, SystemClock()).value();
  }

  Answer Call(std::string_view operation, std::string_view body) override {
    std::promise<Answer> answer;
    http::dynamodb::Dispatch({*database_, nullptr, nullptr}, {operation, body, "localhost"},
                             [&](http::dynamodb::Reply reply) {
                               answer.set_value({reply.status, std::move(reply.body)});
                             });
    return answer.get_future().get();
  }

  std::string KnownFailures() const override {
    return StrCat(CONFORMANCE_KNOWN_FAILURES "/", service_, ".txt");
  }

 private:
  std::string service_;
  std::optional<LocalServer> server_;
  std::unique_ptr<RemoteDatabase> database_;
};

}  // namespace

std::unique_ptr<Backend> StartBackend() { return std::make_unique<RemoteBackend>(); }

}  // namespace tintype::conformance
