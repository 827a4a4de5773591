#include "http_load.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/strings.h"

namespace tintype::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

Error SystemError(std::string_view what) {
  return Error::Io(StrCat(what, ": ", std::strerror(errno)));
}

/// The value of Content-Length in a response's head, whose names may be in any case.
Result<size_t> ContentLength(std::string_view head) {
  constexpr std::string_view kName = "\r\ncontent-length:";
  const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  const auto* found = std::search(head.begin(), head.end(), kName.begin(), kName.end(), same);
  if (found == head.end()) {
    return Error::Io("an answer without a Content-Length");
  }
  const char* digit = found + kName.size();
  while (digit != head.end() && *digit == ' ') {
    ++digit;
  }
  size_t length = 0;
  if (std::from_chars(digit, head.end(), length).ec != std::errc()) {
    return Error::Io("an answer whose Content-Length is no number");
  }
  return length;
}

struct Response {
  bool ok = false;  // Status 200.
  size_t body_bytes = 0;
  std::string_view body_begin;
};

/// One keep-alive connection. It blocks for writing, which a request of a few kilobytes never does
/// for long, and is read only when epoll says that there is something.
class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket() const { return socket_; }
  SteadyClock::time_point sent_at() const { return sent_at_; }

  Status Send(std::string_view request) {
    received_bytes_ = 0;
    response_bytes_ = 0;
    sent_at_ = SteadyClock::now();
    while (!request.empty()) {
      const ssize_t sent = send(socket_, request.data(), request.size(), MSG_NOSIGNAL);
      if (sent < 0) {
        return SystemError("send");
      }
      request.remove_prefix(static_cast<size_t>(sent));
    }
    return OkStatus();
  }

  /// Reads what is there. True when the whole response has come.
  Result<bool> Receive() {
    if (response_bytes_ == 0) {
      ASSIGN_OR_RETURN(const size_t count,
                       Read(buffer_.data() + received_bytes_, buffer_.size() - received_bytes_, 0));
      received_bytes_ += count;
      kept_bytes_ = received_bytes_;
      ASSIGN_OR_RETURN(response_bytes_, ReadHead());
    }
    // The rest is only counted: copying it would take processors from the server.
    if (received_bytes_ < response_bytes_) {
      ASSIGN_OR_RETURN(const size_t count,
                       Read(nullptr, response_bytes_ - received_bytes_, MSG_TRUNC));
      received_bytes_ += count;
    }
    return response_bytes_ > 0 && received_bytes_ >= response_bytes_;
  }

  /// REQUIRES: Receive() returned true. Valid until the next Send.
  Response response() const {
    return {.ok = kept().starts_with("HTTP/1.1 200 "),
            .body_bytes = response_bytes_ - head_bytes_,
            .body_begin = kept().substr(head_bytes_)};
  }

 private:
  std::string_view kept() const { return {buffer_.data(), kept_bytes_}; }

  /// As many bytes as are there, which may be none.
  Result<size_t> Read(char* to, size_t size, int flags) {
    const ssize_t count = recv(socket_, to, size, flags | MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) {
      return size_t{0};
    }
    if (count < 0) {
      return SystemError("recv");
    }
    if (count == 0) {
      return Error::Io("the server closed the connection");
    }
    return static_cast<size_t>(count);
  }

  /// The size of the whole response, or 0 when its head is not there yet.
  Result<size_t> ReadHead() {
    const size_t end = kept().find("\r\n\r\n");
    if (end == std::string_view::npos) {
      return kept_bytes_ < buffer_.size() ? Result<size_t>(size_t{0})
                                          : Error::Io("an answer with too long a head");
    }
    head_bytes_ = end + 4;
    ASSIGN_OR_RETURN(const size_t length, ContentLength(kept().substr(0, head_bytes_)));
    return head_bytes_ + length;
  }

  const int socket_;
  std::array<char, 2048> buffer_;  // The response's beginning.
  size_t kept_bytes_ = 0;          // How much of it.
  size_t received_bytes_ = 0;
  size_t head_bytes_ = 0;
  size_t response_bytes_ = 0;  // 0 until the head has come.
  SteadyClock::time_point sent_at_;
};

Result<std::unique_ptr<Connection>> Connect(const LoadOptions& options) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(options.port);
  if (inet_pton(AF_INET, options.address.c_str(), &address.sin_addr) != 1) {
    return Error::Io(StrCat("not an IPv4 address: ", options.address));
  }
  const int socket_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_fd < 0) {
    return SystemError("socket");
  }
  auto connection = std::make_unique<Connection>(socket_fd);
  const int on = 1;
  setsockopt(socket_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(socket_fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return SystemError(StrCat("connect to ", options.address, ":", options.port));
  }
  return connection;
}

/// One run: hands the next request to whichever connection has got its answer.
class Run {
 public:
  Run(const std::vector<std::string>& recording, const LoadOptions& options, int epoll)
      : recording_(recording), options_(options), epoll_(epoll) {}

  Result<LoadResult> Execute() {
    for (size_t i = 0; i < options_.connections; ++i) {
      ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection, Connect(options_));
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.ptr = connection.get();
      if (epoll_ctl(epoll_, EPOLL_CTL_ADD, connection->socket(), &event) != 0) {
        return SystemError("epoll_ctl");
      }
      connections_.push_back(std::move(connection));
    }
    const auto started = SteadyClock::now();
    counted_from_ = started + ToDuration(options_.warmup_seconds);
    ends_at_ = options_.seconds > 0 ? counted_from_ + ToDuration(options_.seconds)
                                    : SteadyClock::time_point::max();
    last_answer_ = counted_from_;
    for (const auto& connection : connections_) {
      RETURN_IF_ERROR(SendNext(*connection));
    }
    while (under_way_ > 0) {
      RETURN_IF_ERROR(ReadSome());
    }
    if (wrong_answers_ > 0) {
      return Error(ErrorKind::kInternal,
                   StrCat(wrong_answers_, " wrong answers, the first: ", first_wrong_answer_));
    }
    if (result_.answered == 0) {
      return Error::Validation("nothing was answered after the warm-up; give it more requests");
    }
    result_.sent = next_;
    result_.seconds = std::chrono::duration<double>(last_answer_ - counted_from_).count();
    std::sort(result_.latency_ns.begin(), result_.latency_ns.end());
    return std::move(result_);
  }

 private:
  static SteadyClock::duration ToDuration(double seconds) {
    return std::chrono::duration_cast<SteadyClock::duration>(
        std::chrono::duration<double>(seconds));
  }

  Status SendNext(Connection& connection) {
    const bool at_end = next_ >= recording_.size() && !options_.from_the_start;
    if (at_end || SteadyClock::now() >= ends_at_) {
      return OkStatus();
    }
    ++under_way_;
    return connection.Send(recording_[next_++ % recording_.size()]);
  }

  Status ReadSome() {
    std::array<epoll_event, 128> events;
    const int ready = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
    if (ready < 0 && errno != EINTR) {
      return SystemError("epoll_wait");
    }
    for (int i = 0; i < ready; ++i) {
      Connection& connection = *static_cast<Connection*>(events[static_cast<size_t>(i)].data.ptr);
      ASSIGN_OR_RETURN(const bool complete, connection.Receive());
      if (complete) {
        --under_way_;
        Count(connection);
        RETURN_IF_ERROR(SendNext(connection));
      }
    }
    return OkStatus();
  }

  void Count(const Connection& connection) {
    const Response response = connection.response();
    if (!response.ok || response.body_bytes < options_.response_bytes_min) {
      if (wrong_answers_++ == 0) {
        first_wrong_answer_ = std::string(response.body_begin.substr(0, 500));
      }
      return;
    }
    if (connection.sent_at() < counted_from_) {
      return;
    }
    last_answer_ = SteadyClock::now();
    ++result_.answered;
    const auto latency = std::chrono::nanoseconds(last_answer_ - connection.sent_at()).count();
    result_.latency_ns.push_back(static_cast<uint32_t>(std::min<int64_t>(latency, UINT32_MAX)));
  }

  const std::vector<std::string>& recording_;
  const LoadOptions& options_;
  const int epoll_;
  std::vector<std::unique_ptr<Connection>> connections_;
  SteadyClock::time_point counted_from_;
  SteadyClock::time_point ends_at_;
  SteadyClock::time_point last_answer_;
  size_t next_ = 0;
  size_t under_way_ = 0;
  size_t wrong_answers_ = 0;
  std::string first_wrong_answer_;
  LoadResult result_;
};

}  // namespace

Result<LoadResult> RunLoad(const std::vector<std::string>& recording, const LoadOptions& options) {
  if (recording.empty()) {
    return Error::Validation("there are no requests to send");
  }
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) {
    return SystemError("epoll_create1");
  }
  Result<LoadResult> result = Run(recording, options, epoll).Execute();
  close(epoll);
  return result;
}

}  // namespace tintype::bench
