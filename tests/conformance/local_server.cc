#include "local_server.h"

namespace tintype::conformance {

std::optional<sigv4::AccessKeySecret> LocalServer::OneKey::SecretFor(
    std::string_view access_key_id) const {
  if (access_key_id != credentials.access_key_id) {
    return std::nullopt;
  }
  return sigv4::AccessKeySecret{credentials.secret, std::nullopt};
}

std::optional<access::TableCaller> LocalServer::OneKey::CallerOf(
    std::string_view /*access_key_id*/) const {
  access::TableCaller caller;
  caller.principal.kind = access::PrincipalKind::kRootKey;
  return caller;
}

LocalServer::LocalServer(http::ServerConfig server_config) {
  tables::engine::EngineConfig config;
  config.directory = directory_.path();
  config.relaxed_durability = true;
  database_ = tables::engine::RocksDatabase::Open(config, SystemClock()).value();
  http::dynamodb::EndpointConfig endpoint;
  endpoint.credentials = &keys_;
  endpoint.callers = &keys_;
  access_ =
      std::make_unique<access::TableAccess>(access::TableAccessConfig{}, *database_, SystemClock());
  transfers_ =
      tables::transfer::TableTransfers::Start({.root = buckets_.path(), .records = records_.path()},
                                              *database_, *database_, SystemClock())
          .value();
  const http::dynamodb::Services services{*database_, database_.get(), database_.get(),
                                          transfers_.get(), access_.get()};
  endpoint_ = std::make_unique<http::dynamodb::DynamoDbEndpoint>(services, endpoint, metrics_,
                                                                 SystemClock());
  server_ = http::Server::Start(std::move(server_config), *endpoint_).value();
}

}  // namespace tintype::conformance
