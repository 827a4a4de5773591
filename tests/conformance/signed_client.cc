#include "signed_client.h"

#include "base/clock.h"
#include "base/strings.h"
#include "http/dynamodb/dispatch.h"

namespace tintype::conformance {

SignedClient::SignedClient(uint16_t port, sigv4::Credentials credentials)
    : port_(port),
      credentials_(std::move(credentials)),
      connection_(std::make_unique<http::testing::Client>(port)) {}

Answer SignedClient::Call(std::string_view operation, std::string_view body) {
  const auto index = http::dynamodb::OperationIndex(operation);
  const std::string_view api = index ? http::dynamodb::ApiOf(*index) : http::dynamodb::kTablesApi;
  http::Headers headers = {{"host", StrCat("127.0.0.1:", port_)},
                           {"content-type", "application/x-amz-json-1.0"},
                           {"x-amz-target", StrCat(api, ".", operation)}};
  sigv4::SignOptions options;
  options.region = "us-east-1";
  options.service = "dynamodb";
  options.now_ms = SystemClock().NowMs();
  for (auto& header :
       sigv4::Sign({"POST", "/", "", headers, body}, credentials_, options, signing_keys_)) {
    headers.push_back(std::move(header));
  }
  std::optional<http::Response> response = connection_->Call("POST", "/", headers, body);
  if (!response) {
    connection_ = std::make_unique<http::testing::Client>(port_);
    return {0, "the server closed the connection"};
  }
  return {response->status, std::move(response->body)};
}

}  // namespace tintype::conformance
