#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/server/message.h"

struct ssl_ctx_st;
struct ssl_st;

namespace tintype::http::testing {

/// Writes a new self-signed certificate for 127.0.0.1 with that serial number, and its key, as PEM
/// files.
void WriteCertificate(const std::string& certificate_file, const std::string& key_file,
                      int64_t serial);

/// A blocking client for tests, over TLS to a port of this machine. It does not verify the
/// certificate, but tells which it got. Reads give up after ten seconds. Not thread-safe.
class TlsClient {
 public:
  struct Options {
    int version_max = 0;  // As OpenSSL numbers them; 0 for the newest.
    std::string protocol = "http/1.1";
  };

  explicit TlsClient(uint16_t port) : TlsClient(port, Options()) {}
  TlsClient(uint16_t port, const Options& options);
  ~TlsClient();
  TlsClient(const TlsClient&) = delete;
  TlsClient& operator=(const TlsClient&) = delete;

  /// The handshake succeeded.
  bool connected() const { return connected_; }
  int64_t serial() const;
  std::string protocol() const;
  std::string version() const;

  bool Send(std::string_view bytes);
  /// The next response, or nothing when the connection ended or the time passed. `head` says that
  /// it answers HEAD: it has a length but no body.
  std::optional<Response> Read(bool head = false);
  /// Some of what comes next, as it is on the wire; none at the end.
  size_t Receive(char* buffer, size_t size);
  std::optional<Response> Call(std::string_view method, std::string_view target,
                               std::string_view body = {});
  /// The server ended the session properly, and nothing is left to be read.
  bool ReadEnd();

 private:
  struct Free {
    void operator()(ssl_ctx_st* context) const;
    void operator()(ssl_st* session) const;
  };

  const uint16_t port_;
  int socket_ = -1;
  std::unique_ptr<ssl_ctx_st, Free> context_;
  std::unique_ptr<ssl_st, Free> session_;
  bool connected_ = false;
  std::string received_;
};

}  // namespace tintype::http::testing
