#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <thread>
#include <vector>

#include "base/callback.h"
#include "base/error.h"
#include "base/mutex.h"

namespace tintype::tables::engine {

/// Threads for reads, so that a caller's thread, which serves other connections too, is never held
/// up by one that is large. They run at a lower priority than the rest of the process: a caller
/// that asks for one item is not to wait for those that ask for thousands. A read runs to its end,
/// so that no more whole pages are held than there are threads.
///
/// Two queues, both bounded: short reads go before long ones, which get a turn after every
/// `kShortInARow` of them. The memory that waiting reads hold is bounded too. Owned by Core.
/// Thread-safe.
class ReadPool {
 public:
  enum class Length { kShort, kLong };

  struct Config {
    size_t threads = 2;
    /// Reads that may wait, of each length. Default 1,024: a connection has one at a time.
    size_t waiting_max = 1024;
    /// Bytes that all waiting reads may hold. Default 64 MB: about as much as 1,024 of them do,
    /// each of which has read its first 64 KB. With large items it is reached by fewer.
    size_t waiting_bytes_max = size_t{64} << 20;
  };

  static constexpr int kShortInARow = 8;

  explicit ReadPool(Config config) : config_(config) {}
  ~ReadPool() { Stop(); }

  void Start();
  /// Ends what was accepted, takes nothing more, and joins the threads. Idempotent.
  void Stop();

  /// Calls `read`, which holds so many bytes while it waits, on a thread of the pool. False when
  /// too many wait, or the pool has stopped: then it is not called.
  bool Submit(Length length, size_t held_bytes, OnceCallback<> read);

 private:
  struct Waiting {
    OnceCallback<> read;
    size_t held_bytes = 0;
  };
  using Queue = std::deque<Waiting>;
  void Run();
  Queue& QueueOf(Length length) REQUIRES_LOCK(mutex_) {
    return waiting_[static_cast<size_t>(length)];
  }
  bool empty() const REQUIRES_LOCK(mutex_) { return waiting_[0].empty() && waiting_[1].empty(); }
  OnceCallback<> TakeNext() REQUIRES_LOCK(mutex_);

  const Config config_;
  Mutex mutex_;
  CondVar arrived_;
  std::array<Queue, 2> waiting_ GUARDED_BY(mutex_);
  size_t waiting_bytes_ GUARDED_BY(mutex_) = 0;
  int short_in_a_row_ GUARDED_BY(mutex_) = 0;
  bool running_ GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

/// What a caller is told whose read was not accepted.
inline Error TooManyReads() {
  return Error(ErrorKind::kOverloaded, "Too many reads are waiting. Try again later.");
}

}  // namespace tintype::tables::engine
