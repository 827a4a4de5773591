#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "http/server/message.h"

namespace tintype::http::testing {

/// A blocking HTTP/1.1 client for tests: one connection to a port of this machine. It sends exactly
/// the bytes it is given and reads responses one by one, so that tests can say what is on the wire.
/// Reads give up after ten seconds. Not thread-safe.
class Client {
 public:
  explicit Client(uint16_t port);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return socket_ >= 0; }

  /// False when the connection is broken.
  bool Send(std::string_view bytes);
  /// No more bytes will be sent.
  void FinishSending();

  /// The next response, or nothing when the connection ended or the time passed. A `100 Continue`
  /// is a response too. `head` says that it answers HEAD: it has a length but no body.
  std::optional<Response> Read(bool head = false);
  /// Some of what comes next, as it is on the wire; none at the end.
  size_t Receive(char* buffer, size_t size);
  /// Sends a request and reads its response. Adds Host and Content-Length.
  std::optional<Response> Call(std::string_view method, std::string_view target,
                               const Headers& headers = {}, std::string_view body = {});
  /// The server closed the connection and nothing is left to be read.
  bool ReadEnd();

 private:
  uint16_t port_;
  int socket_ = -1;
  std::string received_;
};

/// A socket connected to a port of this machine, whose reads give up after ten seconds; -1 when it
/// is refused.
int Connect(uint16_t port);

/// The next response of a connection. `receive` puts some more bytes into a buffer and returns how
/// many, none at the end; `received` keeps what is left over for the next call.
std::optional<Response> ReadResponse(std::string& received,
                                     const std::function<size_t(char*, size_t)>& receive,
                                     bool head = false);

/// The text of a request. Adds Host (unless given) and Content-Length.
std::string FormatRequest(uint16_t port, std::string_view method, std::string_view target,
                          const Headers& headers, std::string_view body);

/// The value of a response's header; names are compared without case.
std::optional<std::string_view> Header(const Response& response, std::string_view name);

}  // namespace tintype::http::testing
