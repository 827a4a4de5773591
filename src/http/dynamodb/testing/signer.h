#pragma once

#include <string>
#include <string_view>

#include "http/server/message.h"
#include "sigv4/sigv4.h"

namespace tintype::http::dynamodb::testing {

/// Signs requests to the DynamoDB endpoint for tests, as an SDK would. Not thread-safe.
class Signer {
 public:
  explicit Signer(sigv4::Credentials credentials, std::string region = "us-east-1")
      : credentials_(std::move(credentials)), region_(std::move(region)) {}

  /// All headers of a signed `POST /` with that operation and body, Host included. Names are in
  /// lower case, as a Request has them.
  Headers SignOperation(std::string_view operation, std::string_view body, std::string_view host,
                        int64_t now_ms);
  /// The same for a whole target, such as `DynamoDBStreams_20120810.GetRecords`.
  Headers SignTarget(std::string_view target, std::string_view body, std::string_view host,
                     int64_t now_ms);

 private:
  const sigv4::Credentials credentials_;
  const std::string region_;
  sigv4::SigningKeyCache cache_;
};

}  // namespace tintype::http::dynamodb::testing
