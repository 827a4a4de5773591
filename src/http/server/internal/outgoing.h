#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/server/internal/event_loop.h"
#include "http/server/internal/tls_session.h"
#include "http/server/message.h"

namespace tintype::http::internal {

/// The answers of one connection that are to be written: those of pipelined requests gathered, the
/// last one perhaps with a large body or a file behind it, which are sent from where they are. It
/// writes without waiting; the waiting is the connection's, which owns it. Not thread-safe.
class Outgoing {
 public:
  /// `tls` is null on a plain connection. All must outlive this.
  Outgoing(EventLoop& loop, Socket& socket, TlsSession* tls)
      : loop_(loop), socket_(socket), tls_(tls) {}

  /// Tells the client to send its body.
  void AddContinue() { output_.append("HTTP/1.1 100 Continue\r\n\r\n"); }
  struct How {
    bool head_only = false;  // It answers HEAD.
    bool close = false;      // It is the connection's last.
  };
  /// REQUIRES: not full().
  void Add(Response&& response, How how);

  /// The next piece of the last answer's body. REQUIRES: everything is written but, before the
  /// first piece, heads and small bodies.
  void AddPiece(std::string piece);

  /// The answers so far must be written before another is added.
  bool full() const {
    return output_.size() > kGatherBytesMax || !large_body_.empty() || file_.has_value();
  }
  /// Some of it is written.
  bool begun() const { return output_sent_ > 0; }
  /// Bytes in memory that are still to be written.
  size_t unsent() const;
  bool has_file() const { return file_.has_value(); }
  /// Bytes of the file that are still in the file.
  uint64_t file_left() const { return file_ ? file_->length : 0; }
  /// The connection cannot go on: the file cannot be read, or is too short, or TLS is broken.
  bool failed() const { return failed_; }

  /// Writes what the socket takes. True when everything is written and forgotten; false when some
  /// is left, or the write failed, which the next one will find out. REQUIRES: not begun().
  bool TrySend();

  /// Whether there is a next piece: always before a file on a plain connection, which has SendFile.
  bool has_piece() const { return unsent() > 0 || (tls_ != nullptr && file_left() > 0); }
  /// What is to be given to the socket next, and how much of it was. REQUIRES: has_piece(), and on
  /// a TLS connection that the loop's input() is free.
  std::array<asio::const_buffer, 2> NextPiece();
  void Sent(size_t bytes);
  /// Gives some more of the file to a plain socket. True when it took some. REQUIRES: unsent() is 0
  /// and file_left() is not.
  bool SendFile();

  /// Forgets everything, and gives memory back.
  void Clear();

 private:
  static constexpr size_t kGatherBytesMax = 128 * 1024;

  void EncryptFilePiece();
  void FileFailed(std::string_view why);

  EventLoop& loop_;
  Socket& socket_;
  TlsSession* const tls_;

  // output_ and then large_body_, which is not copied, from output_sent_ on; then what is left of
  // file_. On a TLS connection output_sent_ counts what was encrypted; the session has the rest.
  std::string output_;
  size_t output_sent_ = 0;
  std::string large_body_;
  std::optional<FileBody> file_;
  bool failed_ = false;
};

}  // namespace tintype::http::internal
