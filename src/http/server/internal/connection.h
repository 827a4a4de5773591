#pragma once

#include <memory>
#include <string>

#include "base/callback.h"
#include "base/mutex.h"
#include "http/server/internal/event_loop.h"
#include "http/server/internal/request_parser.h"

namespace tintype::http::internal {

/// Where the response to a connection's current request arrives, from whatever thread. It outlives
/// the connection if a handler is still busy when that ends: what arrives then is dropped.
class Mailbox : public std::enable_shared_from_this<Mailbox> {
 public:
  explicit Mailbox(Connection& connection) : connection_(&connection) {}

  /// Marks this thread as inside Handle for this mailbox: a response given there is taken directly,
  /// without a trip through the event loop.
  class HandlingScope {
   public:
    explicit HandlingScope(Mailbox& mailbox);
    ~HandlingScope();
    HandlingScope(const HandlingScope&) = delete;
    HandlingScope& operator=(const HandlingScope&) = delete;

   private:
    const Mailbox* const outer_;
  };

  /// Any thread, once per request.
  void Deliver(Response response);

  /// The rest is for the connection, on its loop's thread.
  bool full() const { return full_; }
  Response Take();
  void Detach();

 private:
  void Arrived();

  Mutex mutex_;
  Connection* connection_ GUARDED_BY(mutex_);  // Null once the connection has ended.
  Response posted_ GUARDED_BY(mutex_);         // On its way to the loop's thread.
  Response response_;                          // Of the loop's thread, as is full_.
  bool full_ = false;
};

/// One client's connection: reads, parses, has requests handled one after another, and writes the
/// answers, several at a time when requests were pipelined. All of it happens on its event loop's
/// thread.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Socket socket, EventLoop& loop);
  ~Connection();

  /// Serves until the connection ends. The coroutine owns the connection.
  static Awaitable<void> Run(std::shared_ptr<Connection> self);
  /// Answers 503 to whatever the client asks, and ends.
  static Awaitable<void> RunTurnedAway(std::shared_ptr<Connection> self);

  asio::io_context& context() { return loop_.context(); }

  /// Gives up what has taken longer than it may.
  void Sweep(SteadyClock::time_point now);
  /// The server stops: ends now if no request is in progress, else with its answer.
  void Finish();
  void Abort();
  /// The mailbox is full.
  void Wake();

 private:
  enum class Phase { kIdle, kHeader, kBody, kHandling, kWriting, kDraining };

  Awaitable<void> Serve();
  void Handle();
  void Answer(Response response, bool close);
  RequestParser::Outcome Parse();
  bool AccountBody();
  void ReleaseBody();
  Awaitable<bool> Fill();
  Awaitable<void> WaitForResponse();
  bool TrySend();
  Awaitable<bool> Flush();
  Awaitable<void> RefuseAndClose(int status, std::string_view reason);
  void Enter(Phase phase, std::chrono::milliseconds timeout);
  void EnterUntimed(Phase phase);
  void Close();

  EventLoop& loop_;
  ServerState& state_;
  Socket socket_;
  std::string peer_;
  RequestParser parser_;
  const std::shared_ptr<Mailbox> mailbox_;  // Shared with the handler's Respond.

  // Received bytes that are not parsed yet are at [input_begin_, input_end_).
  std::unique_ptr<char[]> input_;
  const size_t input_capacity_;
  size_t input_begin_ = 0;
  size_t input_end_ = 0;

  // Answers to be written: output_ from output_sent_ on, then large_body_, which is not copied.
  std::string output_;
  size_t output_sent_ = 0;
  std::string large_body_;

  Phase phase_ = Phase::kIdle;
  SteadyClock::time_point deadline_ = SteadyClock::time_point::max();
  bool timed_out_ = false;
  bool aborted_ = false;
  bool first_request_ = true;
  bool head_request_ = false;
  bool continue_sent_ = false;
  bool closing_ = false;  // The last answer announced the end of the connection.
  size_t body_bytes_counted_ = 0;
  OnceCallback<> waiter_;  // Set while the coroutine waits for the mailbox.
};

}  // namespace tintype::http::internal
