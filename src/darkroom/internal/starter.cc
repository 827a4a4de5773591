#include "darkroom/internal/starter.h"

#include "darkroom/failure.h"

namespace tintype::darkroom {

Starter::Starter(std::string path, const Limits& limits)
    : path_(std::move(path)), limits_(limits), thread_([this] { Run(); }) {}

Result<std::unique_ptr<HelperProcess>> Starter::Start() {
  std::future<Started> started;
  {
    const MutexLock lock(mutex_);
    if (stopping_) {
      return MakeFailure(FailureKind::kNotRunning, "The server is stopping");
    }
    started = wanted_.emplace_back().get_future();
    changed_.SignalOne();
  }
  Started result = started.get();
  if (result.ok()) {
    RETURN_IF_ERROR(result.value()->AwaitReady());
  }
  return result;
}

void Starter::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.SignalOne();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Starter::Run() {
  while (true) {
    std::promise<Started> next;
    {
      const MutexLock lock(mutex_);
      while (wanted_.empty() && !stopping_) {
        changed_.Wait(mutex_);
      }
      if (wanted_.empty()) {
        return;
      }
      next = std::move(wanted_.front());
      wanted_.pop_front();
    }
    next.set_value(HelperProcess::Start(path_, limits_));
  }
}

}  // namespace tintype::darkroom
