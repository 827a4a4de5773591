#include "tables/remote/internal/scripted_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"

namespace tintype::tables::remote::internal {

namespace {

bool SendAll(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool Receive(int connection, std::string& buffer) {
  char bytes[4096];
  const ssize_t count = recv(connection, bytes, sizeof bytes, 0);
  if (count <= 0) {
    return false;
  }
  buffer.append(bytes, static_cast<size_t>(count));
  return true;
}

sigv4::HeaderList ParseHeaders(std::string_view head) {
  sigv4::HeaderList headers;
  size_t line = head.find("\r\n");
  while (line != std::string_view::npos) {
    head.remove_prefix(line + 2);
    line = head.find("\r\n");
    const std::string_view text = head.substr(0, line);
    const size_t colon = text.find(": ");
    std::string name(text.substr(0, colon));
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    headers.emplace_back(std::move(name), text.substr(colon + 2));
  }
  return headers;
}

}  // namespace

ScriptedServer::ScriptedServer() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t length = sizeof address;
  CHECK(bind(listener_, generic, length) == 0);
  CHECK(getsockname(listener_, generic, &length) == 0);
  port_ = ntohs(address.sin_port);
}

void ScriptedServer::Listen() {
  CHECK(listen(listener_, 64) == 0);
  acceptor_ = std::thread([this] { Accept(); });
}

ScriptedServer::~ScriptedServer() {
  shutdown(listener_, SHUT_RDWR);
  if (acceptor_.joinable()) {
    acceptor_.join();
  }
  std::vector<std::thread> threads;
  {
    const MutexLock lock(mutex_);
    for (const int connection : connections_) {
      shutdown(connection, SHUT_RDWR);
    }
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const int connection : connections_) {
    close(connection);
  }
  close(listener_);
}

void ScriptedServer::Script(std::vector<Step> steps) {
  const MutexLock lock(mutex_);
  std::ranges::move(steps, std::back_inserter(steps_));
}

std::string ScriptedServer::endpoint() const { return StrCat("http://127.0.0.1:", port_); }

std::vector<ScriptedServer::Request> ScriptedServer::requests() const {
  const MutexLock lock(mutex_);
  return requests_;
}

size_t ScriptedServer::connections() const {
  const MutexLock lock(mutex_);
  return connections_.size();
}

void ScriptedServer::Accept() {
  for (;;) {
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) {
      return;
    }
    const MutexLock lock(mutex_);
    // Closed by the destructor alone, so that no number is used twice.
    connections_.push_back(connection);
    threads_.emplace_back([this, connection] { Serve(connection); });
  }
}

void ScriptedServer::Serve(int connection) {
  std::string buffer;
  while (auto request = Read(connection, buffer)) {
    if (!Act(connection, Next(std::move(*request)))) {
      return;
    }
  }
}

ScriptedServer::Step ScriptedServer::Next(Request request) {
  const MutexLock lock(mutex_);
  requests_.push_back(std::move(request));
  if (steps_.empty()) {
    return {.status = 418};
  }
  Step step = std::move(steps_.front());
  steps_.pop_front();
  return step;
}

std::optional<ScriptedServer::Request> ScriptedServer::Read(int connection, std::string& buffer) {
  size_t end = 0;
  while ((end = buffer.find("\r\n\r\n")) == std::string::npos) {
    if (!Receive(connection, buffer)) {
      return std::nullopt;
    }
  }
  Request request;
  request.headers = ParseHeaders(std::string_view(buffer).substr(0, end));
  buffer.erase(0, end + 4);
  const auto length = std::ranges::find(request.headers, "content-length",
                                        &std::pair<std::string, std::string>::first);
  CHECK(length != request.headers.end());
  const size_t bytes = std::stoul(length->second);
  while (buffer.size() < bytes) {
    if (!Receive(connection, buffer)) {
      return std::nullopt;
    }
  }
  request.body = buffer.substr(0, bytes);
  buffer.erase(0, bytes);
  return request;
}

bool ScriptedServer::Act(int connection, const Step& step) {
  std::string ignored;
  switch (step.kind) {
    case Step::Kind::kHang:
      Receive(connection, ignored);
      return false;
    case Step::Kind::kReset: {
      const linger at_once = {.l_onoff = 1, .l_linger = 0};
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      const int nothing = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      // Closes the connection but keeps its number, which the destructor closes.
      dup2(nothing, connection);
      close(nothing);
      return false;
    }
    case Step::Kind::kAnswer:
    case Step::Kind::kTruncate:
      break;
  }
  std::string answer =
      StrCat("HTTP/1.1 ", step.status, " Scripted\r\nContent-Length: ", step.body.size(), "\r\n");
  if (!step.checksum.empty()) {
    StrAppend(answer, "X-Amz-Crc32: ", step.checksum, "\r\n");
  }
  const bool truncate = step.kind == Step::Kind::kTruncate;
  StrAppend(answer, "\r\n",
            std::string_view(step.body).substr(0, step.body.size() / (truncate ? 2 : 1)));
  if (!SendAll(connection, answer) || truncate || step.close) {
    shutdown(connection, SHUT_RDWR);
    return false;
  }
  return true;
}

}  // namespace tintype::tables::remote::internal
