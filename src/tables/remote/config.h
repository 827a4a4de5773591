#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "base/result.h"
#include "sigv4/sigv4.h"
#include "tables/remote/capabilities.h"

namespace tintype::tables::remote {

/// How a RemoteDatabase reaches its service, and what it lets it take.
struct RemoteConfig {
  /// `http://host:port` or `https://host`, without a path. Required.
  std::string endpoint;
  /// What requests are signed for. Default: us-east-1.
  std::string region = "us-east-1";
  /// The key that requests are signed with; a temporary one has a session token. Required. Services
  /// that do not verify signatures want to see one all the same.
  sigv4::Credentials credentials;
  /// What the service has. Default: all that DynamoDB has.
  Capabilities capabilities = Capabilities::Aws();
  /// A file of certificates (PEM) to trust instead of the system's. Default: the system's.
  std::string ca_file;

  /// Connections at most, each with one request at a time, kept open between requests. Default 16;
  /// raise it for services that are far away.
  size_t connections_max = 16;
  /// Calls that wait for a connection or for their next attempt, at most. Default 1000. Further
  /// ones fail at once with kOverloaded.
  size_t waiting_max = 1000;
  /// How long an idle connection is used again. Default 4 s: less than the 5 s after which servers
  /// on Node.js close theirs, so that a request rarely meets a connection that is being closed.
  std::chrono::seconds idle_max{4};

  /// For making a connection. Default 2 s.
  std::chrono::milliseconds connect_timeout{2000};
  /// For one attempt, its connection included. Default 10 s.
  std::chrono::milliseconds attempt_timeout{10'000};
  /// For a call with all its attempts and waits. Default 30 s.
  std::chrono::milliseconds call_timeout{30'000};

  /// How often a request is sent, the first time included. Default 10, as AWS's clients have it for
  /// DynamoDB. 1 turns retries off.
  int attempts_max = 10;
  /// The wait before the n-th repetition is random, between nothing and backoff_base times 2^(n-1),
  /// but never above backoff_max. Defaults 50 ms and 5 s.
  std::chrono::milliseconds backoff_base{50};
  std::chrono::milliseconds backoff_max{5000};

  /// One answer's body, in bytes. Default 64 MB: a BatchGetItem answers with up to 16 MB of items,
  /// which are larger as JSON. A larger answer fails with kLimitExceeded.
  size_t response_bytes_max = 64 * 1024 * 1024;

  /// kValidation, naming the setting, for what cannot work.
  Status Validate() const;
};

}  // namespace tintype::tables::remote
