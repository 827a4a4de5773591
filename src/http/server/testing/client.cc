#include "http/server/testing/client.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/strings.h"

namespace tintype::http::testing {
namespace {

constexpr timeval kReadTimeout = {.tv_sec = 10, .tv_usec = 0};

bool SameName(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

Response ParseHead(std::string_view head) {
  Response response;
  size_t line_end = head.find("\r\n");
  response.status = std::atoi(std::string(head.substr(9, 3)).c_str());
  while (line_end != std::string_view::npos && line_end + 2 < head.size()) {
    const size_t begin = line_end + 2;
    line_end = head.find("\r\n", begin);
    const std::string_view line = head.substr(begin, line_end - begin);
    const size_t colon = line.find(": ");
    if (colon != std::string_view::npos) {
      response.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    }
  }
  return response;
}

}  // namespace

int Connect(uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(fd);
    return -1;
  }
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &kReadTimeout, sizeof kReadTimeout);
  const int at_once = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
  return fd;
}

std::optional<Response> ReadResponse(std::string& received,
                                     const std::function<size_t(char*, size_t)>& receive,
                                     bool head) {
  const auto read_more = [&] {
    std::array<char, 16 * 1024> buffer;
    const size_t read = receive(buffer.data(), buffer.size());
    received.append(buffer.data(), read);
    return read > 0;
  };
  size_t head_end = 0;
  while ((head_end = received.find("\r\n\r\n")) == std::string::npos) {
    if (!read_more()) {
      return std::nullopt;
    }
  }
  Response response = ParseHead(std::string_view(received).substr(0, head_end + 2));
  received.erase(0, head_end + 4);
  const auto length_text = Header(response, "Content-Length");
  if (head || !length_text) {
    return response;
  }
  const size_t length = std::strtoull(std::string(*length_text).c_str(), nullptr, 10);
  while (received.size() < length) {
    if (!read_more()) {
      return std::nullopt;
    }
  }
  if (received.size() == length) {
    response.body = std::exchange(received, std::string());
  } else {
    response.body = received.substr(0, length);
    received.erase(0, length);
  }
  return response;
}

Client::Client(uint16_t port) : port_(port), socket_(Connect(port)) {}

Client::~Client() {
  if (socket_ >= 0) {
    ::close(socket_);
  }
}

bool Client::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

void Client::FinishSending() { ::shutdown(socket_, SHUT_WR); }

size_t Client::Receive(char* buffer, size_t size) {
  return static_cast<size_t>(std::max<ssize_t>(::recv(socket_, buffer, size, 0), 0));
}

std::optional<Response> Client::Read(bool head) {
  const auto receive = [this](char* buffer, size_t size) { return Receive(buffer, size); };
  return ReadResponse(received_, receive, head);
}

std::optional<Response> Client::Call(std::string_view method, std::string_view target,
                                     const Headers& headers, std::string_view body) {
  if (!Send(FormatRequest(port_, method, target, headers, body))) {
    return std::nullopt;
  }
  return Read(method == "HEAD");
}

bool Client::ReadEnd() {
  if (!received_.empty()) {
    return false;
  }
  char byte = 0;
  return ::recv(socket_, &byte, 1, 0) == 0;
}

std::string FormatRequest(uint16_t port, std::string_view method, std::string_view target,
                          const Headers& headers, std::string_view body) {
  std::string text = StrCat(method, " ", target, " HTTP/1.1\r\n");
  bool has_host = false;
  for (const auto& [name, value] : headers) {
    has_host = has_host || SameName(name, "Host");
    StrAppend(text, name, ": ", value, "\r\n");
  }
  if (!has_host) {
    StrAppend(text, "Host: 127.0.0.1:", port, "\r\n");
  }
  StrAppend(text, "Content-Length: ", body.size(), "\r\n\r\n", body);
  return text;
}

std::optional<std::string_view> Header(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (SameName(key, name)) {
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace tintype::http::testing
