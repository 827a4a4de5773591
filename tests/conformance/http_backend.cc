// A server in this process, spoken to over a socket with signed requests.

#include <gtest/gtest.h>

#include "backend.h"
#include "base/strings.h"
#include "http/dynamodb/dispatch.h"
#include "http/server/testing/client.h"
#include "local_server.h"

namespace tintype::conformance {
namespace {

class HttpBackend : public Backend {
 public:
  Answer Call(std::string_view operation, std::string_view body) override {
    const auto index = http::dynamodb::OperationIndex(operation);
    const std::string_view api = index ? http::dynamodb::ApiOf(*index) : http::dynamodb::kTablesApi;
    http::Headers headers = {{"host", StrCat("127.0.0.1:", server_.port())},
                             {"content-type", "application/x-amz-json-1.0"},
                             {"x-amz-target", StrCat(api, ".", operation)}};
    tables::wire::SignOptions options;
    options.region = "us-east-1";
    options.service = "dynamodb";
    options.now_ms = SystemClock().NowMs();
    for (auto& header : tables::wire::Sign({"POST", "/", "", headers, body}, server_.credentials(),
                                           options, signing_keys_)) {
      headers.push_back(std::move(header));
    }
    std::optional<http::Response> response = client_->Call("POST", "/", headers, body);
    if (!response) {
      ADD_FAILURE() << "the server closed the connection";
      client_ = std::make_unique<http::testing::Client>(server_.port());
      return {};
    }
    return {response->status, std::move(response->body)};
  }

 private:
  LocalServer server_;
  tables::wire::SigningKeyCache signing_keys_;
  std::unique_ptr<http::testing::Client> client_ =
      std::make_unique<http::testing::Client>(server_.port());
};

}  // namespace

std::unique_ptr<Backend> StartBackend() { return std::make_unique<HttpBackend>(); }

}  // namespace tintype::conformance
