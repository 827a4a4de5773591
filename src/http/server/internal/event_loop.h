#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/ip_address.h"
#include "base/mutex.h"
#include "http/server/internal/answer_budget.h"
#include "http/server/internal/client_shares.h"
#include "http/server/internal/response_writer.h"
#include "http/server/internal/tls_session.h"
#include "http/server/server.h"

namespace tintype::http::internal {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
// The concrete executor instead of Asio's type-erased default: no virtual call per operation.
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<Tcp, Executor>;
using SteadyClock = std::chrono::steady_clock;
using Timer = asio::basic_waitable_timer<SteadyClock, asio::wait_traits<SteadyClock>, Executor>;
template <typename T>
using Awaitable = asio::awaitable<T, Executor>;
inline constexpr asio::use_awaitable_t<Executor> kAwait;

class Connection;

/// What all event loops of one server share. Thread-safe.
struct ServerState {
  ServerState(ServerConfig server_config, Handler& server_handler)
      : config(std::move(server_config)),
        handler(server_handler),
        answers({.bytes_max = config.unread_answer_bytes_max,
                 .patience = config.unread_answer_patience}),
        clients(config) {}

  /// What new connections speak TLS with; null when they are plain.
  std::shared_ptr<const TlsContext> tls() const {
    MutexLock lock(tls_mutex_);
    return tls_;
  }
  void set_tls(std::shared_ptr<const TlsContext> context) {
    MutexLock lock(tls_mutex_);
    tls_ = std::move(context);
  }

  const ServerConfig config;
  Handler& handler;
  std::atomic<bool> stopping = false;
  std::atomic<uint64_t> connections_open = 0;
  std::atomic<uint64_t> connections_accepted = 0;
  std::atomic<uint64_t> connections_refused = 0;
  std::atomic<size_t> body_bytes_in_flight = 0;
  AnswerBudget answers;
  ClientShares clients;

 private:
  mutable Mutex tls_mutex_;
  std::shared_ptr<const TlsContext> tls_ GUARDED_BY(tls_mutex_);  // Shared with open connections.
};

/// One thread's event loop and the connections it serves. All members but the context belong to the
/// loop's thread; others reach it by posting to the context.
class EventLoop {
 public:
  explicit EventLoop(ServerState& state);

  /// Runs until Finish was called and every connection is gone.
  void Run();

  asio::io_context& context() { return context_; }
  ServerState& state() { return state_; }
  std::string_view date() const { return date_.text(); }

  /// What the connections of this loop share while their coroutine runs: where bytes are received,
  /// on TLS connections before they are decrypted, and a string to gather answers in. Nothing stays
  /// in them while a coroutine waits.
  std::span<char> input() { return {input_.get(), input_bytes_}; }
  std::span<char> cipher_input() { return {cipher_input_.get(), kCipherInputBytes}; }
  std::string TakeOutput() { return std::exchange(spare_output_, std::string()); }
  void GiveBackOutput(std::string output);

  /// Serves a connection until it ends. On the loop's thread.
  void Serve(Socket socket, const IpAddress& peer);
  /// Tells a client why there is no room for it. On the loop's thread.
  void TurnAway(Socket socket, std::string_view why);
  /// A connection begun by one of the two above has ended.
  void Served(Connection& connection);
  void TurnedAway(Connection& connection);

  /// Closes idle connections and lets the others end with their current request. Any thread.
  void Finish();
  /// Closes all connections. Any thread.
  void Abort();

 private:
  static constexpr size_t kCipherInputBytes = 64 * 1024;

  Awaitable<void> Sweep();
  void Remove(Connection& connection);

  asio::io_context context_{1};
  asio::executor_work_guard<Executor> work_;
  ServerState& state_;
  std::unordered_set<Connection*> connections_;  // Each is kept alive by its own coroutine.
  DateText date_;
  const size_t input_bytes_;
  const std::unique_ptr<char[]> input_;
  const std::unique_ptr<char[]> cipher_input_;  // Null on a plain server.
  std::string spare_output_;
  Timer sweep_timer_;
  size_t turned_away_ = 0;
};

}  // namespace tintype::http::internal
