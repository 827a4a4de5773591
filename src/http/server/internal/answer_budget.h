#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <unordered_map>

#include "base/mutex.h"

namespace tintype::http::internal {

class Connection;

/// Counts the answers of all connections that wait for their clients to read them, and keeps them
/// within a limit: when there is no room, clients that read nothing for a while are given up, and
/// then large answers are refused. Small ones always go out, so that clients which read are served
/// whatever the others do. Only answers that the operating system did not take at once are counted.
/// Thread-safe.
class AnswerBudget {
 public:
  struct Limits {
    size_t bytes_max = 0;
    /// A client that has read nothing for so long may be given up.
    std::chrono::milliseconds patience{0};
  };

  explicit AnswerBudget(Limits limits) : limits_(limits) {}

  /// Whether a large answer may be begun. True for any answer when no other waits.
  bool HasRoom(size_t bytes);
  size_t bytes() const;

  /// What one connection has waiting, for as long as it lives.
  class Hold {
   public:
    Hold(AnswerBudget& budget, Connection& connection, size_t bytes);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

    /// The client has read some, and so much waits now.
    void Left(size_t bytes);

   private:
    AnswerBudget& budget_;
    Connection& connection_;
  };

 private:
  using SteadyClock = std::chrono::steady_clock;
  struct Entry {
    size_t bytes = 0;
    bool given_up = false;  // Its bytes no longer count.
    SteadyClock::time_point progress;
    std::weak_ptr<Connection> connection;
    boost::asio::io_context* context = nullptr;  // Of the connection's loop, which outlives it.
  };

  bool GiveUpStalled(size_t bytes_wanted) REQUIRES_LOCK(mutex_);

  const Limits limits_;
  mutable Mutex mutex_;
  size_t bytes_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<Connection*, Entry> waiting_ GUARDED_BY(mutex_);
};

}  // namespace tintype::http::internal
