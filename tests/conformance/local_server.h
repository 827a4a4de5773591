#pragma once

#include <memory>
#include <string>

#include "access/tables/table_access.h"
#include "base/testing/temporary_directory.h"
#include "http/dynamodb/endpoint.h"
#include "http/server/server.h"
#include "tables/engine/rocks_database.h"
#include "tables/transfer/table_transfers.h"

namespace tintype::conformance {

/// A server in this process on an engine of its own, that wants signed requests.
class LocalServer {
 public:
  explicit LocalServer(http::ServerConfig server_config = {});
  // The server goes first: nothing may reach the database while it closes.
  ~LocalServer() { server_->Stop(); }
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  uint16_t port() const { return server_->port(); }
  /// What requests must be signed with.
  const sigv4::Credentials& credentials() const { return keys_.credentials; }

 private:
  struct OneKey : sigv4::CredentialStore, access::TableCallers {
    std::optional<sigv4::AccessKeySecret> SecretFor(std::string_view access_key_id) const override;
    std::optional<access::TableCaller> CallerOf(std::string_view access_key_id) const override;
    const sigv4::Credentials credentials = {"AKIACONFORMANCE", "secret", std::nullopt};
  };

  const OneKey keys_;
  TemporaryDirectory directory_;
  TemporaryDirectory buckets_;
  TemporaryDirectory records_;
  metrics::Registry registry_;
  http::dynamodb::RequestMetrics metrics_{registry_};
  std::unique_ptr<tables::engine::RocksDatabase> database_;
  std::unique_ptr<access::TableAccess> access_;
  std::unique_ptr<tables::transfer::TableTransfers> transfers_;
  std::unique_ptr<http::dynamodb::DynamoDbEndpoint> endpoint_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace tintype::conformance
