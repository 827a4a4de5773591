#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "sigv4/sigv4.h"

namespace tintype::tables::remote::internal {

/// For tests only: an HTTP server on loopback that does what it is told, request by request, the
/// bad things that servers and networks do included. A thread for each connection. Thread-safe.
class ScriptedServer {
 public:
  /// What becomes of one request.
  struct Step {
    enum class Kind {
      kAnswer,
      kTruncate,  ///< Half of the body, then the end of the connection.
      kReset,     ///< The connection is reset when the whole request has been read.
      kHang,      ///< Nothing, until the client gives up.
    };
    Kind kind = Kind::kAnswer;
    int status = 200;
    std::string body = "{}";
    /// Of the header x-amz-crc32; none when empty.
    std::string checksum = {};
    /// Close the connection afterwards, without having said so.
    bool close = false;
  };
  struct Request {
    sigv4::HeaderList headers;  // Names in lower case.
    std::string body;
  };

  /// Takes a port. Connections are refused until Listen.
  ScriptedServer();
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  void Listen();
  /// More steps. Requests for which there is none are answered with 418, which nobody retries.
  void Script(std::vector<Step> steps);

  std::string endpoint() const;
  std::vector<Request> requests() const;
  size_t connections() const;

 private:
  void Accept();
  void Serve(int connection);
  /// False at the end of the connection.
  static std::optional<Request> Read(int connection, std::string& buffer);
  /// False when the connection is over.
  static bool Act(int connection, const Step& step);
  Step Next(Request request);

  int listener_ = -1;
  uint16_t port_ = 0;
  mutable Mutex mutex_;
  std::deque<Step> steps_ GUARDED_BY(mutex_);
  std::vector<Request> requests_ GUARDED_BY(mutex_);
  std::vector<int> connections_ GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ GUARDED_BY(mutex_);
  std::thread acceptor_;
};

}  // namespace tintype::tables::remote::internal
