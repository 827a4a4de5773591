// A server in this process, spoken to over a socket with signed requests.

#include "backend.h"
#include "local_server.h"
#include "signed_client.h"

namespace tintype::conformance {
namespace {

class HttpBackend : public Backend {
 public:
  Answer Call(std::string_view operation, std::string_view body) override {
    return client_.Call(operation, body);
  }

 private:
  LocalServer server_;
  SignedClient client_{server_.port(), server_.credentials()};
};

}  // namespace

std::unique_ptr<Backend> StartBackend() { return std::make_unique<HttpBackend>(); }

}  // namespace tintype::conformance
