#include "http/rest/protocol/pool.h"

#include <algorithm>
#include <utility>

namespace tintype::http::rest {

Pool::Pool(Config config) : config_(config) {
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

void Pool::Submit(OnceCallback<> run, OnceCallback<> refuse) {
  {
    const MutexLock lock(mutex_);
    if (!stopping_ && tasks_.size() < config_.waiting_max) {
      tasks_.push_back({std::move(run), std::move(refuse), std::chrono::steady_clock::now()});
      changed_.SignalOne();
      return;
    }
  }
  if (refuse) {
    refuse();
  }
}

bool Pool::IsLate(const Task& task) const {
  return config_.patience &&
         (stopping_ || std::chrono::steady_clock::now() - task.since > *config_.patience);
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
    Task task;
    bool late = false;
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
      late = IsLate(task);
    }
    OnceCallback<>& next = late ? task.refuse : task.run;
    if (next) {
      next();
    }
  }
}

}  // namespace tintype::http::rest
