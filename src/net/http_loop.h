#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "base/callback.h"
#include "base/mutex.h"
#include "net/http.h"

namespace tintype::net {

/// One thread that sends HTTP requests over a bounded pool of connections that are kept open, and
/// runs timers.
///
/// Post and Stop are for any thread. Send and After are for the loop's own thread, that is for
/// callbacks; all callbacks run there, and must not block. Every callback is called exactly once:
/// when the loop stops, requests end as kStopped, and posted tasks and timers run at once.
class HttpLoop {
 public:
  using SteadyClock = std::chrono::steady_clock;
  using Task = OnceCallback<>;

  using Done = OnceCallback<HttpOutcome>;

  /// `connections_max` requests are on their way at once, at least 1; others wait.
  HttpLoop(HttpConfig config, size_t connections_max);
  ~HttpLoop();
  HttpLoop(const HttpLoop&) = delete;
  HttpLoop& operator=(const HttpLoop&) = delete;

  /// Runs the task on the loop's thread. False, and the task is left alone, when the loop stops.
  bool Post(Task& task);
  /// Sends the request as soon as a connection is free, if that is before the deadline, which also
  /// bounds the request's own time. The request must stay until `done` is called.
  void Send(const HttpRequest& request, SteadyClock::time_point deadline, Done done);
  void After(std::chrono::milliseconds delay, Task task);

  /// Ends everything and joins the thread. Not from a callback.
  void Stop();

 private:
  struct Transfer;
  struct Waiting {
    const HttpRequest* request;
    SteadyClock::time_point deadline;
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

  const HttpConfig config_;
  const size_t connections_max_;
  std::unique_ptr<void, MultiCleanup> multi_;

  Mutex mutex_;
  std::vector<Task> posted_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;

  // Of the loop's thread alone.
  bool ended_ = false;
  std::deque<Waiting> waiting_;
  std::map<void*, std::unique_ptr<Transfer>> transfers_;  // By libcurl's handle.
  std::multimap<SteadyClock::time_point, Task> timers_;
  SteadyClock::time_point next_expiry_;

  std::thread thread_;  // Last: it uses all of the above.
};

}  // namespace tintype::net
