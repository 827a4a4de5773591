// A service that is reached through RemoteDatabase: the case's JSON is decoded to a typed request,
// sent on by the client, and the typed response encoded again. Streams, backups and transfers,
// which the client does not have, go to the service as they are. The service is the one that
// PEER_ENDPOINT and CONFORMANCE_PEER (a preset of capabilities) name, or a server in this process.
// The cases that it is known to fail are in the folder known_failures.

#include <cstdlib>
#include <future>
#include <optional>

#include "backend.h"
#include "base/strings.h"
#include "http/dynamodb/dispatch.h"
#include "local_server.h"
#include "signed_client.h"
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
    const size_t port_at = config.endpoint.rfind(':') + 1;
    const auto port = static_cast<uint16_t>(std::stoi(config.endpoint.substr(port_at)));
    direct_.emplace(port, config.credentials);
  }

  Answer Call(std::string_view operation, std::string_view body) override {
    std::promise<http::dynamodb::Reply> promise;
    http::dynamodb::Dispatch(
        {*database_, nullptr, nullptr}, {operation, body, "localhost"},
        [&](http::dynamodb::Reply reply) { promise.set_value(std::move(reply)); });
    http::dynamodb::Reply reply = promise.get_future().get();
    // A database without these operations answers as if they did not exist.
    if (reply.error && reply.error->message() == UnknownMessage(operation) &&
        http::dynamodb::OperationIndex(operation)) {
      return direct_->Call(operation, body);
    }
    return {reply.status, std::move(reply.body)};
  }

  std::string KnownFailures() const override {
    return StrCat(CONFORMANCE_KNOWN_FAILURES "/", service_, ".txt");
  }

 private:
  static std::string UnknownMessage(std::string_view operation) {
    return std::string(http::dynamodb::UnknownOperation(operation).message());
  }

  std::string service_;
  std::optional<LocalServer> server_;
  std::optional<SignedClient> direct_;
  std::unique_ptr<RemoteDatabase> database_;
};

}  // namespace

std::unique_ptr<Backend> StartBackend() { return std::make_unique<RemoteBackend>(); }

}  // namespace tintype::conformance
