#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "blobs/s3/config.h"
#include "sigv4/sigv4.h"

/// One HTTP request at a time and thread. libcurl stays in http.cc.
namespace tintype::blobs::s3 {

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
  std::string method;
  std::string url;
  sigv4::HeaderList headers;
  HttpBody body{};
  /// Where the body of an answer with a status of 200 to 299 goes, instead of a string.
  std::optional<HttpSink> into{};
  /// When nothing may move any more. What is large has no other end.
  std::chrono::milliseconds timeout{0};
};

struct HttpAnswer {
  int status = 0;
  sigv4::HeaderList headers{};  // Names in lower case.
  std::string body{};
  uint64_t received = 0;  // By HttpRequest::into.

  /// Empty when there is none.
  std::string_view Header(std::string_view name) const;
};

/// The milliseconds since the epoch of a time as headers have it, 0 when it is none.
int64_t HttpDateMs(std::string_view text);

struct HttpOutcome {
  /// Nothing when there was no answer, or not a whole one.
  std::optional<HttpAnswer> answer{};
  std::string problem{};
};

/// Sends one request and waits for its answer. Thread-safe. An interface, so that tests can answer
/// as no storage does on demand.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual HttpOutcome Perform(const HttpRequest& request) = 0;
};

/// The network, over connections that are kept for the next request: one for each thread that needs
/// one just then.
std::unique_ptr<Transport> NewHttpTransport(const S3Config& config);

}  // namespace tintype::blobs::s3
