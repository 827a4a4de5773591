#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

// OpenSSL's own names, so that its headers stay in one source file.
struct ssl_ctx_st;
struct ssl_st;

namespace tintype::http::internal {

/// What a server proves itself with, and how it speaks TLS: 1.2 or 1.3, with forward secrecy and
/// authenticated encryption only, HTTP/1.1 by ALPN. Immutable and shared by the sessions that began
/// with it, so that a new certificate does not disturb them. Thread-safe.
class TlsContext {
 public:
  /// Reads a certificate, with the chain it needs, and its key from PEM files. Errors: kIo or
  /// kValidation, naming the file.
  static Result<std::shared_ptr<const TlsContext>> Load(const std::string& certificate_file,
                                                        const std::string& key_file);

 private:
  friend class TlsSession;
  struct Free {
    void operator()(ssl_ctx_st* context) const;
  };
  using Handle = std::unique_ptr<ssl_ctx_st, Free>;
  explicit TlsContext(Handle handle) : handle_(std::move(handle)) {}

  const Handle handle_;
};

/// The server's end of one TLS connection. Turns bytes into bytes and knows no socket: that keeps
/// reading, writing and waiting in one place for plain connections and for these. The handshake
/// happens by the way. Not thread-safe; owned by its connection.
class TlsSession {
 public:
  /// At most so many bytes more than were received come out of one Receive: what OpenSSL keeps of
  /// an unfinished record.
  static constexpr size_t kKeptBytesMax = 17 * 1024;

  explicit TlsSession(const TlsContext& context);
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  /// Takes received bytes and puts what they decrypt to into `plain`; returns how much that is.
  /// There may be something to send afterwards. REQUIRES: `plain` has kKeptBytesMax more bytes than
  /// `cipher`.
  size_t Receive(std::string_view cipher, std::span<char> plain);
  /// Encrypts bytes that are to be sent. False when the session is broken.
  bool Encrypt(std::string_view plain);
  /// Says that nothing more will be sent, also in answer to the client's saying so.
  void End();

  /// The client has ended the session, or broken it. Nothing more will be received.
  bool ended() const { return ended_; }

  /// What is to be sent on the wire, and how much of it was.
  std::string_view unsent() const { return std::string_view(outgoing_).substr(sent_); }
  void Sent(size_t bytes);

 private:
  friend struct TlsWire;
  struct Free {
    void operator()(ssl_st* session) const;
  };

  std::string_view incoming_;  // Set only within Receive.
  std::string outgoing_;
  size_t sent_ = 0;
  bool ended_ = false;
  bool failed_ = false;  // Not by a proper end; OpenSSL must not be asked for more.
  const std::unique_ptr<ssl_st, Free> session_;
};

}  // namespace tintype::http::internal
