#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/callback.h"

/// HTTP messages as handlers see them, free of any transport library.
namespace tintype::http {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;
  std::string target;  // Path and query as they were sent.
  Headers headers;     // Names in lower case, in the order received.
  std::string body;
  std::string peer;  // The client's address, for logs.

  /// The first header of that (lower-case) name.
  std::optional<std::string_view> Header(std::string_view name) const;
};

struct Response {
  int status = 200;
  Headers headers;  // Content-Length, Date and Connection are the server's business.
  std::string body;
};

/// Sends the response. To be called exactly once, from any thread.
using Respond = OnceCallback<Response>;

/// Answers requests. Handle is called on the server's threads and must not block for long; it may
/// keep `respond` and call it later. Requests of one connection are handled one after another.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual void Handle(Request request, Respond respond) = 0;

  /// The answer to a request that the server refuses before it could be handled: 400 malformed, 408
  /// too slow, 413 body too large, 417 unknown expectation, 431 header too large, 503 too much at
  /// once. The status stands; override to give the body the form of a protocol. `reason` is one
  /// sentence that may be shown to a client. Called on any of the server's threads.
  virtual Response Refuse(int status, std::string_view reason);
};

}  // namespace tintype::http
