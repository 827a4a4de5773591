#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/callback.h"
#include "http/server/internal/body_stream.h"
#include "http/server/internal/event_loop.h"
#include "http/server/internal/input_buffer.h"
#include "http/server/internal/mailbox.h"
#include "http/server/internal/outgoing.h"
#include "http/server/internal/request_parser.h"
#include "http/server/internal/tls_session.h"

namespace tintype::http::internal {

/// One client's connection: reads, parses, has requests handled one after another, and writes the
/// answers, several at a time when requests were pipelined. All of it happens on its event loop's
/// thread. While it is idle it holds no buffer but a small one; while a sink takes its body, one of
/// RequestParser::kPieceBytes.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Socket socket, EventLoop& loop, const IpAddress& peer_address);
  ~Connection();

  /// Serves until the connection ends. The coroutine owns the connection.
  static Awaitable<void> Run(std::shared_ptr<Connection> self);
  /// Answers 503 to whatever the client asks, and ends. `why` is a literal.
  static Awaitable<void> RunTurnedAway(std::shared_ptr<Connection> self, std::string_view why);

  asio::io_context& context() { return loop_.context(); }
  const IpAddress& peer_address() const { return peer_address_; }

  /// Gives up what has taken longer than it may.
  void Sweep(SteadyClock::time_point now);
  /// The server stops: ends now if no request is in progress, else with its answer.
  void Finish();
  void Abort();
  /// Whether the client sends no more. For any thread, as long as the connection exists.
  bool ClientHungUp() const;
  /// The mailbox is full.
  void Wake();
  /// Ends the connection if it still waits for its client to read.
  void GiveUpWriting();

 private:
  enum class Phase { kIdle, kHeader, kBody, kHandling, kWriting, kDraining };

  Awaitable<void> Serve();
  void Handle();
  void Answer(Response&& response, bool close);
  void AddHeaders(Response& response) const;
  void AnswerFromMailbox();
  RequestParser::Outcome Parse();
  IpAddress FillOrigin(Request& request) const;
  bool TakeBody();
  Response Refusal();
  bool AccountBody();
  void ReleaseBody();
  bool PieceIsReady(RequestParser::Outcome outcome);
  Awaitable<bool> HandOverPiece();
  Awaitable<bool> WritePiece();

  Awaitable<bool> Fill();
  bool Receive(size_t first);
  Awaitable<void> WaitForResponse();
  Awaitable<bool> SendSource();
  Awaitable<bool> Flush();
  Awaitable<void> FlushFile();
  Awaitable<void> RefuseAndClose(Response refusal);
  Awaitable<void> Drain();
  void EndTls();
  void Enter(Phase phase, std::chrono::milliseconds timeout);
  void EnterStreamedBody();
  void EnterUntimed(Phase phase);
  void Close();

  EventLoop& loop_;
  ServerState& state_;
  Socket socket_;
  const int descriptor_;  // The socket's, for threads that must not touch it.
  const std::string peer_;
  const IpAddress peer_address_;
  const std::shared_ptr<const TlsContext> tls_context_;  // Shared by connections; null when plain.
  const std::unique_ptr<TlsSession> tls_;                // Null when plain.
  RequestParser parser_;
  const std::shared_ptr<Mailbox> mailbox_;  // Shared with the handler's Respond.
  // Where reading begins, so that an idle connection needs no more than this: most requests fit.
  std::array<char, 2048> first_bytes_;
  InputBuffer input_;

  Outgoing outgoing_;
  // Set from TakeBody to Handle, for a body that a sink takes; shared with the sink's `next`.
  std::shared_ptr<BodyStream> stream_;
  // The body of the answer at hand, when a source gives it.
  std::optional<SourceBody> source_;
  std::optional<Response> body_refusal_;        // What TakeBody said instead.
  std::optional<Response> large_body_refusal_;  // The same, should the body become large.

  Phase phase_ = Phase::kIdle;
  SteadyClock::time_point deadline_ = SteadyClock::time_point::max();
  bool timed_out_ = false;
  bool aborted_ = false;
  bool first_request_ = true;
  bool head_request_ = false;
  bool continue_sent_ = false;
  bool https_;            // Of the request at hand; before there is one, of the connection.
  bool closing_ = false;  // The last answer announced the end of the connection.
  bool broken_ = false;   // Nothing more can be sent.
  size_t body_bytes_counted_ = 0;
  IpAddress body_client_;  // Whose bytes those are.
  OnceCallback<> waiter_;  // Set while the coroutine waits for the mailbox.
};

}  // namespace tintype::http::internal
