#include "http/server/server.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <filesystem>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/ip_address.h"
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
// While that goes on, it is said this often.
constexpr std::chrono::seconds kAcceptLogInterval{10};

Error CannotListen(const ServerConfig& config, const error_code& error) {
  const bool v6 = config.address.find(':') != std::string::npos;
  return Error::Io(StrCat("Cannot listen on ", v6 ? "[" : "", config.address, v6 ? "]:" : ":",
                          config.port, ": ", error.message()));
}

// `::` for a client that is gone already.
IpAddress PeerAddress(const Socket& socket) {
  error_code error;
  const asio::ip::address address = socket.remote_endpoint(error).address();
  if (error) {
    return {};
  }
  const asio::ip::address_v6 bytes =
      address.is_v4() ? asio::ip::make_address_v6(asio::ip::v4_mapped, address.to_v4())
                      : address.to_v6();
  return IpAddress::FromBytes(bytes.to_bytes());
}

// What tells two contents of a file apart without reading it; nothing when it cannot be looked at.
std::optional<std::pair<uintmax_t, std::filesystem::file_time_type>> FileVersion(
    const std::string& path) {
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(path, error);
  if (error) {
    return std::nullopt;
  }
  const auto time = std::filesystem::last_write_time(path, error);
  if (error) {
    return std::nullopt;
  }
  return std::pair(size, time);
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
    if (!config.tls_certificate_file.empty()) {
      RETURN_IF_ERROR(LoadCertificate());
    }
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
    if (state_.tls() != nullptr) {
      watch_timer_.emplace(loops_.front()->context());
      asio::co_spawn(loops_.front()->context(), WatchCertificate(), asio::detached);
    }
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
      if (watch_timer_) {
        watch_timer_->cancel();
      }
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
            .connections_refused = state_.connections_refused,
            .unread_answer_bytes = state_.answers.bytes(),
            .client_connections_refused = state_.clients.connections_refused(),
            .client_bodies_refused = state_.clients.bodies_refused()};
  }

 private:
  using FileVersions = std::pair<decltype(FileVersion("")), decltype(FileVersion(""))>;

  Status LoadCertificate() {
    const ServerConfig& config = state_.config;
    // Before the content: a change in between is then noticed later, not missed.
    tls_versions_ = {FileVersion(config.tls_certificate_file), FileVersion(config.tls_key_file)};
    ASSIGN_OR_RETURN(auto context,
                     internal::TlsContext::Load(config.tls_certificate_file, config.tls_key_file));
    state_.set_tls(std::move(context));
    return OkStatus();
  }

  Awaitable<void> WatchCertificate() {
    const ServerConfig& config = state_.config;
    while (!state_.stopping) {
      watch_timer_->expires_after(config.tls_check_interval);
      error_code ignored;
      co_await watch_timer_->async_wait(asio::redirect_error(internal::kAwait, ignored));
      const FileVersions now = {FileVersion(config.tls_certificate_file),
                                FileVersion(config.tls_key_file)};
      if (state_.stopping || now == tls_versions_) {
        continue;
      }
      const Status loaded = LoadCertificate();
      if (loaded.ok()) {
        LogInfo("TLS certificate reloaded", {{"file", config.tls_certificate_file}});
      } else {
        // Once per change: a pair that is being replaced fits again when its second file is.
        LogError("TLS certificate not reloaded, the old one stays in use",
                 {{"error", loaded.error().message()}});
      }
    }
  }

  Awaitable<void> Accept() {
    internal::Timer pause(loops_.front()->context());
    auto log_again = internal::SteadyClock::now();
    for (size_t turn = 0; acceptor_->is_open(); ++turn) {
      EventLoop& loop = *loops_[turn % loops_.size()];
      error_code error;
      Socket socket(loop.context());
      co_await acceptor_->async_accept(socket, asio::redirect_error(internal::kAwait, error));
      if (state_.stopping) {
        co_return;
      }
      if (error) {
        const auto now = internal::SteadyClock::now();
        if (now >= log_again) {
          LogWarning("cannot accept connections", {{"why", error.message()}});
          log_again = now + kAcceptLogInterval;
        }
        pause.expires_after(kAcceptPause);
        co_await pause.async_wait(asio::redirect_error(internal::kAwait, error));
        continue;
      }
      const IpAddress peer = PeerAddress(socket);
      const std::string_view refusal = Admit(peer);
      asio::post(loop.context(), [&loop, peer, refusal, accepted = std::move(socket)]() mutable {
        if (refusal.empty()) {
          loop.Serve(std::move(accepted), peer);
        } else {
          loop.TurnAway(std::move(accepted), refusal);
        }
      });
    }
  }

  // Counts a connection that is to be served; else, why it is not.
  std::string_view Admit(const IpAddress& peer) {
    if (state_.connections_open >= state_.config.connections_max) {
      ++state_.connections_refused;
      return "There are too many connections.";
    }
    if (!state_.clients.AddConnection(peer)) {
      ++state_.connections_refused;
      return "There are too many connections from your address.";
    }
    ++state_.connections_open;
    ++state_.connections_accepted;
    return {};
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
  std::optional<internal::Timer> watch_timer_;
  FileVersions tls_versions_;  // Of what was loaded last, with or without success.
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
