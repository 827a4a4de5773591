#include "http/server/internal/event_loop.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <csignal>

#include "http/server/internal/connection.h"

namespace tintype::http::internal {
namespace {

using ErrorCode = boost::system::error_code;

// Clients that are being told that there is no room; further ones are just closed.
constexpr size_t kTurnedAwayMax = 64;
// What is read at once beside a header that is not complete yet.
constexpr size_t kInputBytes = 128 * 1024;
// The string that connections gather answers in is kept up to this size.
constexpr size_t kSpareOutputBytesMax = 256 * 1024;

std::chrono::milliseconds SweepInterval(const ServerConfig& config) {
  const auto shortest = std::min(
      {config.header_timeout, config.body_timeout, config.idle_timeout, config.write_timeout});
  return std::clamp(shortest / 4, std::chrono::milliseconds(5), std::chrono::milliseconds(1000));
}

}  // namespace

EventLoop::EventLoop(ServerState& state)
    : work_(context_.get_executor()),
      state_(state),
      input_bytes_(state.config.header_bytes_max + kInputBytes),
      input_(std::make_unique_for_overwrite<char[]>(input_bytes_)),
      cipher_input_(state.config.tls_certificate_file.empty()
                        ? nullptr
                        : std::make_unique_for_overwrite<char[]>(kCipherInputBytes)),
      sweep_timer_(context_) {
  asio::co_spawn(context_, Sweep(), asio::detached);
}

void EventLoop::Run() {
  // sendfile, unlike send, cannot be asked to spare the process the signal of a client that is
  // gone.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  context_.run();
}

void EventLoop::GiveBackOutput(std::string output) {
  if (output.capacity() <= kSpareOutputBytesMax) {
    output.clear();
    spare_output_ = std::move(output);
  }
}

void EventLoop::Serve(Socket socket, const IpAddress& peer) {
  auto connection = std::make_shared<Connection>(std::move(socket), *this, peer);
  connections_.insert(connection.get());
  asio::co_spawn(context_, Connection::Run(std::move(connection)), asio::detached);
}

void EventLoop::Served(Connection& connection) {
  state_.connections_open.fetch_sub(1, std::memory_order_relaxed);
  state_.clients.RemoveConnection(connection.peer_address());
  Remove(connection);
}

void EventLoop::TurnedAway(Connection& connection) {
  --turned_away_;
  Remove(connection);
}

void EventLoop::Remove(Connection& connection) {
  connections_.erase(&connection);
  if (connections_.empty() && state_.stopping) {
    sweep_timer_.cancel();
  }
}

Awaitable<void> EventLoop::Sweep() {
  const auto interval = SweepInterval(state_.config);
  while (!(state_.stopping && connections_.empty())) {
    sweep_timer_.expires_after(interval);
    ErrorCode ignored;
    co_await sweep_timer_.async_wait(asio::redirect_error(kAwait, ignored));
    date_.Refresh(std::chrono::system_clock::now());
    const auto now = SteadyClock::now();
    for (Connection* connection : connections_) {
      connection->Sweep(now);
    }
  }
}

void EventLoop::TurnAway(Socket socket, std::string_view why) {
  // Telling it over TLS would take a handshake, which costs more than what it asked for.
  if (turned_away_ >= kTurnedAwayMax || state_.tls() != nullptr) {
    return;
  }
  ++turned_away_;
  auto connection = std::make_shared<Connection>(std::move(socket), *this, IpAddress());
  connections_.insert(connection.get());
  asio::co_spawn(context_, Connection::RunTurnedAway(std::move(connection), why), asio::detached);
}

void EventLoop::Finish() {
  asio::post(context_, [this] {
    work_.reset();
    for (Connection* connection : connections_) {
      connection->Finish();
    }
    sweep_timer_.cancel();
  });
}

void EventLoop::Abort() {
  asio::post(context_, [this] {
    const std::vector<Connection*> open(connections_.begin(), connections_.end());
    for (Connection* connection : open) {
      // Aborting one may end it, but none of the others: coroutines end one by one.
      connection->Abort();
    }
  });
}

}  // namespace tintype::http::internal
