#include "http/server/server.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <thread>
#include <vector>

#include "base/logging.h"
#include "base/mutex.h"
#include "base/strings.h"
#include "http/server/internal/event_loop.h"

namespace tintype::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using internal::Awaitable;
using internal::EventLoop;
using internal::Executor;
using internal::Socket;
using internal::Tcp;
using Acceptor = asio::basic_socket_acceptor<Tcp, Executor>;

// When the process is out of file descriptors, accepting again at once would only spin.
constexpr std::chrono::milliseconds kAcceptPause{100};

Error CannotListen(const ServerConfig& config, const error_code& error) {
  const bool v6 = config.address.find(':') != std::string::npos;
  return Error::Io(StrCat("Cannot listen on ", v6 ? "[" : "", config.address, v6 ? "]:" : ":",
                          config.port, ": ", error.message()));
}

}  // namespace

class Server::Listener {
 public:
  Listener(ServerConfig config, Handler& handler) : state_(std::move(config), handler) {
    size_t threads = state_.config.threads;
    if (threads == 0) {
      threads = std::max(1U, std::thread::hardware_concurrency());
    }
    for (size_t i = 0; i < threads; ++i) {
      loops_.push_back(std::make_unique<EventLoop>(state_));
    }
    acceptor_.emplace(loops_.front()->context());
  }

  Status Listen() {
    const ServerConfig& config = state_.config;
    error_code error;
    const auto address = asio::ip::make_address(config.address, error);
    if (error) {
      return CannotListen(config, error);
    }
    const Tcp::endpoint endpoint(address, config.port);
    acceptor_->open(endpoint.protocol(), error);
    if (!error) {
      acceptor_->set_option(Acceptor::reuse_address(true), error);
    }
    if (!error) {
      acceptor_->bind(endpoint, error);
    }
    if (!error) {
      acceptor_->listen(Acceptor::max_listen_connections, error);
    }
    if (error) {
      return CannotListen(config, error);
    }
    port_ = acceptor_->local_endpoint(error).port();
    return OkStatus();
  }

  void Run() {
    asio::co_spawn(loops_.front()->context(), Accept(), asio::detached);
    threads_running_ = loops_.size();
    for (const auto& loop : loops_) {
      threads_.emplace_back([this, &loop] {
        loop->Run();
        MutexLock lock(mutex_);
        --threads_running_;
        thread_ended_.SignalAll();
      });
    }
  }

  void Stop() {
    if (threads_.empty()) {
      return;
    }
    state_.stopping = true;
    asio::post(loops_.front()->context(), [this] {
      error_code ignored;
      acceptor_->close(ignored);
    });
    for (const auto& loop : loops_) {
      loop->Finish();
    }
    if (!WaitForThreads(state_.config.shutdown_grace)) {
      LogWarning("requests still in progress at shutdown are dropped",
                 {{"connections", state_.connections_open.load()}});
      for (const auto& loop : loops_) {
        loop->Abort();
      }
    }
    for (std::thread& thread : threads_) {
      thread.join();
    }
    threads_.clear();
  }

  uint16_t port() const { return port_; }

  ServerStats stats() const {
    return {.connections_open = state_.connections_open,
            .connections_accepted = state_.connections_accepted,
            .connections_refused = state_.connections_refused};
  }

 private:
  Awaitable<void> Accept() {
    internal::Timer pause(loops_.front()->context());
    for (size_t turn = 0; acceptor_->is_open(); ++turn) {
      EventLoop& loop = *loops_[turn % loops_.size()];
      error_code error;
      Socket socket(loop.context());
      co_await acceptor_->async_accept(socket, asio::redirect_error(internal::kAwait, error));
      if (state_.stopping) {
        co_return;
      }
      if (error) {
        LogWarning("cannot accept a connection", {{"why", error.message()}});
        pause.expires_after(kAcceptPause);
        co_await pause.async_wait(asio::redirect_error(internal::kAwait, error));
        continue;
      }
      const bool room = state_.connections_open < state_.config.connections_max;
      if (room) {
        ++state_.connections_open;
        ++state_.connections_accepted;
      } else {
        ++state_.connections_refused;
      }
      asio::post(loop.context(), [&loop, room, accepted = std::move(socket)]() mutable {
        if (room) {
          loop.Serve(std::move(accepted));
        } else {
          loop.TurnAway(std::move(accepted));
        }
      });
    }
  }

  // False when the time passed before all threads had ended.
  bool WaitForThreads(std::chrono::milliseconds timeout) {
    const auto deadline = internal::SteadyClock::now() + timeout;
    MutexLock lock(mutex_);
    while (threads_running_ > 0) {
      const auto left = deadline - internal::SteadyClock::now();
      if (left <= left.zero()) {
        return false;
      }
      thread_ended_.WaitFor(mutex_, left);
    }
    return true;
  }

  internal::ServerState state_;
  std::vector<std::unique_ptr<EventLoop>> loops_;
  std::optional<Acceptor> acceptor_;
  uint16_t port_ = 0;
  std::vector<std::thread> threads_;
  Mutex mutex_;
  CondVar thread_ended_;
  size_t threads_running_ GUARDED_BY(mutex_) = 0;
};

Result<std::unique_ptr<Server>> Server::Start(ServerConfig config, Handler& handler) {
  auto listener = std::make_unique<Listener>(std::move(config), handler);
  RETURN_IF_ERROR(listener->Listen());
  listener->Run();
  return std::unique_ptr<Server>(new Server(std::move(listener)));
}

Server::Server(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
Server::~Server() { Stop(); }
uint16_t Server::port() const { return listener_->port(); }
ServerStats Server::stats() const { return listener_->stats(); }
void Server::Stop() { listener_->Stop(); }

}  // namespace tintype::http
