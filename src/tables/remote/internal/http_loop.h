#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/callback.h"
#include "base/mutex.h"
#include "tables/remote/config.h"
#include "tables/remote/internal/endpoint.h"

namespace tintype::tables::remote::internal {

/// One thread that sends HTTP requests over a bounded pool of connections that are kept open, and
/// runs timers. The only class that knows libcurl's transfers.
///
/// Post and Stop are for any thread. Send and After are for the loop's own thread, that is for
/// callbacks; all callbacks run there, and must not block. Every callback is called exactly once:
/// when the loop stops, requests end as kStopped, and posted tasks and timers run at once.
class HttpLoop {
 public:
  using SteadyClock = std::chrono::steady_clock;
  using Task = OnceCallback<>;

  struct Request {
    const sigv4::HeaderList* headers = nullptr;
    std::string_view body;  // Not empty.
    SteadyClock::time_point deadline;
  };
  struct Outcome {
    enum class Kind {
      kAnswered,
      kNotSent,    ///< The service cannot have seen the whole request.
      kUntrusted,  ///< Not sent either, and never will be: its certificate is not to be trusted.
      kLost,       ///< The service may have seen the request, but there is no whole answer.
      kTooLarge,   ///< The answer's body is over its limit.
      kStopped,
    };
    Kind kind = Kind::kAnswered;
    std::string problem;  // In words, unless answered.
    int status = 0;
    std::string body;
    std::optional<std::string> checksum;  // The header x-amz-crc32.
  };
  using Done = OnceCallback<Outcome>;

  /// REQUIRES: config.Validate().
  HttpLoop(const RemoteConfig& config, Endpoint endpoint);
  ~HttpLoop();
  HttpLoop(const HttpLoop&) = delete;
  HttpLoop& operator=(const HttpLoop&) = delete;

  /// Runs the task on the loop's thread. False, and the task is left alone, when the loop stops.
  bool Post(Task& task);
  /// Sends a POST as soon as a connection is free. What the request points to must stay until
  /// `done` is called.
  void Send(const Request& request, Done done);
  void After(std::chrono::milliseconds delay, Task task);

  /// Ends everything and joins the thread. Not from a callback.
  void Stop();

 private:
  class Transfer;
  struct Waiting {
    Request request;
    Done done;
  };
  struct MultiCleanup {
    void operator()(void* multi) const;
  };

  void Run();
  /// Runs what was posted. False when the loop is to stop.
  bool RunPosted();
  void RunTimers();
  void StartWaiting();
  /// Those whose deadline passes while they wait for a connection.
  void ExpireWaiting();
  void FinishTransfers();
  void EndAll();
  int PollMs() const;

  const RemoteConfig& config_;
  const Endpoint endpoint_;
  std::unique_ptr<void, MultiCleanup> multi_;

  Mutex mutex_;
  std::vector<Task> posted_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;

  // Of the loop's thread alone.
  bool ended_ = false;
  std::deque<Waiting> waiting_;
  std::map<void*, std::unique_ptr<Transfer>> transfers_;  // By curl's handle.
  std::multimap<SteadyClock::time_point, Task> timers_;
  SteadyClock::time_point next_expiry_;

  std::thread thread_;  // Last: it uses all of the above.
};

}  // namespace tintype::tables::remote::internal
