#include "tables/engine/threads/long_work_pool.h"

#include <utility>

namespace tintype::tables::engine {
namespace {

// So that a short piece of work is not held up by a long one.
constexpr int kThreads = 2;

}  // namespace

void LongWorkPool::Start() {
  for (int i = 0; i < kThreads; ++i) {
    threads_.emplace_back([this] { Run(); });
  }
}

void LongWorkPool::RequestStop() {
  const MutexLock lock(mutex_);
  stopping_ = true;
  arrived_.SignalAll();
}

void LongWorkPool::Stop() {
  RequestStop();
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

void LongWorkPool::Add(std::function<void()> work) {
  const MutexLock lock(mutex_);
  waiting_.push_back(std::move(work));
  arrived_.SignalOne();
}

void LongWorkPool::Run() {
  while (true) {
    std::function<void()> work;
    {
      const MutexLock lock(mutex_);
      while (waiting_.empty() && !stopping_) {
        arrived_.Wait(mutex_);
      }
      if (waiting_.empty()) {
        return;
      }
      work = std::move(waiting_.front());
      waiting_.pop_front();
    }
    work();
  }
}

}  // namespace tintype::tables::engine
