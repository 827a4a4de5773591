#include "tables/engine/threads/jobs.h"

#include <utility>

namespace tintype::tables::engine {
namespace {

// So that a short job is not held up by a long one.
constexpr int kThreads = 2;

}  // namespace

void Jobs::Start() {
  for (int i = 0; i < kThreads; ++i) {
    threads_.emplace_back([this] { Run(); });
  }
}

void Jobs::RequestStop() {
  const MutexLock lock(mutex_);
  stopping_ = true;
  arrived_.SignalAll();
}

void Jobs::Stop() {
  RequestStop();
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

void Jobs::Add(std::function<void()> job) {
  const MutexLock lock(mutex_);
  waiting_.push_back(std::move(job));
  arrived_.SignalOne();
}

void Jobs::Run() {
  while (true) {
    std::function<void()> job;
    {
      const MutexLock lock(mutex_);
      while (waiting_.empty() && !stopping_) {
        arrived_.Wait(mutex_);
      }
      if (waiting_.empty()) {
        return;
      }
      job = std::move(waiting_.front());
      waiting_.pop_front();
    }
    job();
  }
}

}  // namespace tintype::tables::engine
