#include "tables/transfer/internal/worker.h"

#include <utility>

namespace tintype::tables::transfer {

bool Worker::Add(Work work) {
  const MutexLock lock(mutex_);
  if (waiting_.size() >= waiting_max_ || stopping_) {
    return false;
  }
  waiting_.push_back(std::move(work));
  arrived_.SignalOne();
  return true;
}

void Worker::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    arrived_.SignalOne();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Worker::Run() {
  for (;;) {
    Work work;
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
    work(stopping_);
  }
}

}  // namespace tintype::tables::transfer
