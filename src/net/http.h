#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// HTTP/1.1 to other servers: what is sent, and what becomes of it.
namespace tintype::net {

using HeaderList = std::vector<std::pair<std::string, std::string>>;

/// What a request carries: text, or a range of a file.
struct HttpBody {
  std::string_view text{};
  int file = -1;
  uint64_t offset = 0;
  uint64_t length = 0;  // Of the range; text has its own.

  uint64_t bytes() const { return file >= 0 ? length : text.size(); }
};

/// Where the body of an answer goes: memory, or a file from an offset on.
struct HttpSink {
  std::span<char> memory{};
  int file = -1;
  uint64_t offset = 0;
  uint64_t length = 0;  // The most that a file gets; memory has its own.

  uint64_t bytes() const { return file >= 0 ? length : memory.size(); }
};

struct HttpRequest {
  std::string method{};
  std::string url{};
  HeaderList headers{};
  HttpBody body{};
  /// Where the body of an answer with a status of 200 to 299 goes, instead of a string.
  std::optional<HttpSink> into{};
  /// For the whole request, its connection included. A transfer of over a megabyte has no such end
  /// where HttpConfig::stall_timeout is set: then this is the longest that nothing may move.
  std::chrono::milliseconds timeout{0};
};

struct HttpAnswer {
  int status = 0;
  HeaderList headers{};  // Names in lower case.
  std::string body{};
  uint64_t received = 0;  // By HttpRequest::into.

  /// Empty when there is none.
  std::string_view Header(std::string_view name) const;
};

struct HttpOutcome {
  enum class Kind {
    kAnswered,
    kNotSent,    ///< The service cannot have seen the whole request.
    kUntrusted,  ///< Not sent either, and never will be: its certificate is not to be trusted.
    kLost,       ///< The service may have seen the request, but there is no whole answer.
    kTooLarge,   ///< The answer's body is over its limit.
    kStopped,    ///< The client is being closed.
  };
  Kind kind = Kind::kLost;
  HttpAnswer answer{};    // Only what came of it, unless answered.
  std::string problem{};  // In words, unless answered.

  bool answered() const { return kind == Kind::kAnswered; }
};

/// What all requests of a client have in common.
struct HttpConfig {
  /// A file of certificates (PEM) to trust instead of the system's. Empty: the system's.
  std::string ca_file{};
  /// For making a connection.
  std::chrono::milliseconds connect_timeout{5'000};
  /// How long nothing may move on a connection that carries more than a megabyte. 0: such requests
  /// have the same time as all others.
  std::chrono::milliseconds stall_timeout{0};
  /// How long an idle connection is used again. 0: as long as libcurl has it.
  std::chrono::seconds idle_max{0};
  /// One answer's body in memory, but for what goes into a sink.
  size_t answer_bytes_max = 8 << 20;
};

/// The milliseconds since the epoch of a time as headers have it, 0 when it is none.
int64_t HttpDateMs(std::string_view text);

}  // namespace tintype::net
