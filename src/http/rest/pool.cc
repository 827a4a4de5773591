#include "http/rest/pool.h"

#include <algorithm>
#include <utility>

namespace tintype::http::rest {

Pool::Pool(Config config) : waiting_max_(config.waiting_max) {
  const size_t threads =
      config.threads > 0
          ? config.threads
          : 4 * static_cast<size_t>(std::max(1U, std::thread::hardware_concurrency()));
  threads_.reserve(threads);
  for (size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { Run(); });
  }
}

Pool::~Pool() { Stop(); }

bool Pool::Submit(OnceCallback<>& task) {
  const MutexLock lock(mutex_);
  if (stopping_ || tasks_.size() >= waiting_max_) {
    return false;
  }
  tasks_.push_back(std::move(task));
  changed_.SignalOne();
  return true;
}

void Pool::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.SignalAll();
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

void Pool::Run() {
  while (true) {
    OnceCallback<> task;
    {
      const MutexLock lock(mutex_);
      while (tasks_.empty() && !stopping_) {
        changed_.Wait(mutex_);
      }
      if (tasks_.empty()) {
        return;
      }
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace tintype::http::rest
