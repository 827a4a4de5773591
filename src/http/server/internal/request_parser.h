#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http/server/message.h"

namespace tintype::http::internal {

/// Makes requests out of the bytes of one connection. The grammar is Beast's; on top of it this
/// refuses whatever two servers in a row might read differently (request smuggling): folded header
/// lines, several or contradicting lengths, encodings other than `chunked`, a missing or repeated
/// Host, targets that are neither a path nor an http address. Not thread-safe; owned by its
/// connection.
class RequestParser {
 public:
  struct Limits {
    size_t header_bytes_max = 0;
    size_t body_bytes_max = 0;
    uint64_t streamed_body_bytes_max = 0;
  };
  enum class Outcome { kNeedMore, kHead, kComplete, kRefused };
  struct Step {
    Outcome outcome = Outcome::kNeedMore;
    size_t consumed = 0;  // Bytes that need not be given again.
  };

  explicit RequestParser(Limits limits);
  ~RequestParser();

  /// A streamed body is taken in pieces of about this size.
  static constexpr size_t kPieceBytes = 256 * 1024;

  /// Takes bytes that follow those consumed so far. kHead, once for a request that has a body, says
  /// that the header is complete: decide whether to Stream, then go on, even without more bytes.
  /// After kComplete, take the request and Reset; after kRefused the connection cannot be read any
  /// further.
  Step Feed(std::string_view bytes);
  void Reset();

  /// The request so far. REQUIRES: the last outcome was kHead.
  Request& head();
  /// The body will be taken from body() in pieces, and has the limit for that. REQUIRES: the last
  /// outcome was kHead.
  void Stream();

  /// Some byte of the current request was seen.
  bool started() const;
  bool header_done() const;
  /// The client waits for `100 Continue` before it sends the body. REQUIRES: header_done().
  bool expects_continue() const;
  /// What was received of the body and not taken away.
  std::string& body();
  size_t body_bytes() const;

  /// REQUIRES: the last outcome was kComplete.
  Request TakeRequest();
  /// The connection may carry another request. Never for HTTP/1.0, whose keep-alive proxies garble.
  bool keep_alive() const;

  /// REQUIRES: the last outcome was kRefused.
  int refusal_status() const;
  std::string_view refusal_reason() const;

 private:
  class Grammar;
  const Limits limits_;
  std::unique_ptr<Grammar> grammar_;
};

}  // namespace tintype::http::internal
