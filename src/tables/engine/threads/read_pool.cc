#include "tables/engine/threads/read_pool.h"

#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace tintype::tables::engine {
namespace {

// So much nicer than the rest of the process: about a tenth of the processor time of one of its
// other threads when both want it.
constexpr int kNicer = 10;

// Linux counts priorities by thread. One that stays as it was is no worse than before.
void LowerPriority() {
  const auto thread = static_cast<id_t>(::gettid());
  (void)::setpriority(PRIO_PROCESS, thread, ::getpriority(PRIO_PROCESS, thread) + kNicer);
}

}  // namespace

void ReadPool::Start() {
  {
    const MutexLock lock(mutex_);
    running_ = true;
  }
  for (size_t i = 0; i < config_.threads; ++i) {
    threads_.emplace_back([this] {
      LowerPriority();
      Run();
    });
  }
}

void ReadPool::Stop() {
  {
    const MutexLock lock(mutex_);
    running_ = false;
    arrived_.SignalAll();
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

bool ReadPool::Submit(Length length, size_t held_bytes, OnceCallback<> read) {
  const MutexLock lock(mutex_);
  Queue& queue = QueueOf(length);
  if (!running_ || queue.size() >= config_.waiting_max ||
      waiting_bytes_ + held_bytes > config_.waiting_bytes_max) {
    return false;
  }
  waiting_bytes_ += held_bytes;
  queue.push_back({std::move(read), held_bytes});
  arrived_.SignalOne();
  return true;
}

OnceCallback<> ReadPool::TakeNext() {
  Queue& short_reads = QueueOf(Length::kShort);
  Queue& long_reads = QueueOf(Length::kLong);
  const bool take_short =
      !short_reads.empty() && (long_reads.empty() || short_in_a_row_ < kShortInARow);
  short_in_a_row_ = take_short ? short_in_a_row_ + 1 : 0;
  Queue& queue = take_short ? short_reads : long_reads;
  Waiting next = std::move(queue.front());
  queue.pop_front();
  waiting_bytes_ -= next.held_bytes;
  return std::move(next.read);
}

void ReadPool::Run() {
  while (true) {
    OnceCallback<> next;
    {
      const MutexLock lock(mutex_);
      while (empty() && running_) {
        arrived_.Wait(mutex_);
      }
      if (empty()) {
        return;
      }
      next = TakeNext();
    }
    next();
  }
}

}  // namespace tintype::tables::engine
