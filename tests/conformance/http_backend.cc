// A server in this process, spoken to over a socket with signed requests.

#include <gtest/gtest.h>

#include "backend.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "http/dynamodb/endpoint.h"
#include "http/server/server.h"
#include "http/server/testing/client.h"
#include "tables/engine/rocks_database.h"

namespace tintype::conformance {
namespace {

using tables::wire::Credentials;

class OneKey : public tables::wire::CredentialStore {
 public:
  explicit OneKey(Credentials credentials) : credentials_(std::move(credentials)) {}
  std::optional<tables::wire::AccessKeySecret> SecretFor(
      std::string_view access_key_id) const override {
    if (access_key_id != credentials_.access_key_id) {
      return std::nullopt;
    }
    return tables::wire::AccessKeySecret{credentials_.secret, std::nullopt};
  }

 private:
  const Credentials credentials_;
};

class HttpBackend : public Backend {
 public:
  HttpBackend() : credentials_{"AKIACONFORMANCE", "secret", std::nullopt}, keys_(credentials_) {
    tables::engine::EngineConfig config;
    config.directory = directory_.path();
    config.relaxed_durability = true;
    database_ = tables::engine::RocksDatabase::Open(config, SystemClock()).value();
    http::dynamodb::EndpointConfig endpoint;
    endpoint.credentials = &keys_;
    endpoint_ = std::make_unique<http::dynamodb::DynamoDbEndpoint>(*database_, endpoint, metrics_,
                                                                   SystemClock());
    server_ = http::Server::Start({}, *endpoint_).value();
    client_ = std::make_unique<http::testing::Client>(server_->port());
  }
  // The server goes first: nothing may reach the database while it closes.
  ~HttpBackend() override { server_->Stop(); }

  Answer Call(std::string_view operation, std::string_view body) override {
    http::Headers headers = {{"host", StrCat("127.0.0.1:", server_->port())},
                             {"content-type", "application/x-amz-json-1.0"},
                             {"x-amz-target", StrCat("DynamoDB_20120810.", operation)}};
    tables::wire::SignOptions options;
    options.region = "us-east-1";
    options.service = "dynamodb";
    options.now_ms = SystemClock().NowMs();
    for (auto& header : tables::wire::Sign({"POST", "/", "", headers, body}, credentials_, options,
                                           signing_keys_)) {
      headers.push_back(std::move(header));
    }
    std::optional<http::Response> response = client_->Call("POST", "/", headers, body);
    if (!response) {
      ADD_FAILURE() << "the server closed the connection";
      client_ = std::make_unique<http::testing::Client>(server_->port());
      return {};
    }
    return {response->status, std::move(response->body)};
  }

 private:
  const Credentials credentials_;
  const OneKey keys_;
  tables::wire::SigningKeyCache signing_keys_;
  TemporaryDirectory directory_;
  http::dynamodb::Metrics metrics_;
  std::unique_ptr<tables::engine::RocksDatabase> database_;
  std::unique_ptr<http::dynamodb::DynamoDbEndpoint> endpoint_;
  std::unique_ptr<http::Server> server_;
  std::unique_ptr<http::testing::Client> client_;
};

}  // namespace

std::unique_ptr<Backend> StartBackend() { return std::make_unique<HttpBackend>(); }

}  // namespace tintype::conformance
