#include "darkroom/internal/starter.h"

#include <algorithm>

#include "base/error.h"
#include "darkroom/failure.h"
#include "darkroom/protocol/template.h"

namespace tintype::darkroom {
namespace {

// The helper was forked by a template of which another helper has crashed since.
constexpr Reason kDistrusted{ErrorKind::kUnavailable, "Distrusted"};

Error StartsNoMore() { return MakeFailure(FailureKind::kNotRunning, "The server is stopping"); }

}  // namespace

Starter::Starter(HelperProgram program, const Limits& limits)
    : program_(std::move(program)), limits_(limits), thread_([this] { Run(); }) {}

Result<std::unique_ptr<HelperProcess>> Starter::Start() {
  Started started = StartOnce();
  // A helper or its template may have been killed just now. Where there was no room for a process,
  // there is none now.
  if (!started.ok() && !started.error().Is(kCannotFork)) {
    started = StartOnce();
  }
  // Files of others may make their helpers crash again and again, but not that fast.
  if (!started.ok() && started.error().Is(kDistrusted)) {
    started = StartOnce();
  }
  return started;
}

Starter::Started Starter::StartOnce() {
  std::future<Started> started;
  {
    const MutexLock lock(mutex_);
    if (stopping_) {
      return StartsNoMore();
    }
    started = wanted_.emplace_back().get_future();
    changed_.SignalOne();
  }
  Started result = started.get();
  if (!result.ok()) {
    return result;
  }
  HelperProcess& helper = **result;
  {
    const MutexLock lock(mutex_);
    if (stopping_) {
      return StartsNoMore();
    }
    starting_.push_back(&helper);
  }
  const Status ready = helper.AwaitReady();
  {
    const MutexLock lock(mutex_);
    std::erase(starting_, &helper);
    if (!ready.ok() && stopping_) {
      return StartsNoMore();  // It was given up, which says nothing about its template.
    }
  }
  if (!ready.ok()) {
    Distrust(helper.generation());
    return ready.error();
  }
  if (IsDistrusted(helper.generation())) {
    return MakeFailure(FailureKind::kNotRunning, "Another image helper crashed meanwhile")
        .WithReason(kDistrusted);
  }
  return result;
}

void Starter::Distrust(int64_t generation) {
  const MutexLock lock(mutex_);
  distrusted_ = std::max(distrusted_, generation);
}

bool Starter::IsDistrusted(int64_t generation) const {
  const MutexLock lock(mutex_);
  return generation <= distrusted_;
}

void Starter::Interrupt() {
  const MutexLock lock(mutex_);
  stopping_ = true;
  if (running_ != nullptr) {
    running_->Abandon();
  }
  for (HelperProcess* helper : starting_) {
    helper->Abandon();
  }
}

size_t Starter::starting() const {
  const MutexLock lock(mutex_);
  return starting_.size() + (forking_ ? 1 : 0);
}

void Starter::Stop() {
  Interrupt();
  {
    const MutexLock lock(mutex_);
    ending_ = true;
    changed_.SignalOne();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
}

pid_t Starter::template_id() const {
  const MutexLock lock(mutex_);
  return running_ == nullptr ? 0 : running_->pid();
}

uint64_t Starter::templates_started() const {
  const MutexLock lock(mutex_);
  return static_cast<uint64_t>(generation_);
}

void Starter::Run() {
  while (true) {
    std::promise<Started> next;
    bool stopping = false;
    {
      const MutexLock lock(mutex_);
      while (wanted_.empty() && !ending_) {
        changed_.Wait(mutex_);
      }
      if (wanted_.empty()) {
        break;
      }
      next = std::move(wanted_.front());
      wanted_.pop_front();
      stopping = stopping_;
      forking_ = !stopping;
    }
    Started started = stopping ? Started(StartsNoMore()) : Fork();
    {
      const MutexLock lock(mutex_);
      forking_ = false;
    }
    next.set_value(std::move(started));
  }
  EndTemplate();
}

Starter::Started Starter::Fork() {
  RETURN_IF_ERROR(PrepareTemplate());
  Started forked = template_->Fork();
  if (!forked.ok() && !forked.error().Is(kCannotFork)) {
    EndTemplate();
  }
  return forked;
}

// Afterwards there is a template that may be used.
Status Starter::PrepareTemplate() {
  int64_t generation = 0;
  bool usable = template_ != nullptr && template_->IsWaiting();
  {
    const MutexLock lock(mutex_);
    usable = usable && generation_ > distrusted_;
    generation = generation_ + (usable ? 0 : 1);
  }
  if (usable) {
    return OkStatus();
  }
  EndTemplate();
  ASSIGN_OR_RETURN(auto started, TemplateProcess::Start(program_, limits_, generation));
  template_ = std::move(started);
  {
    const MutexLock lock(mutex_);
    generation_ = generation;
    running_ = template_.get();
    if (stopping_) {
      return StartsNoMore();
    }
  }
  Status ready = template_->AwaitReady();
  if (!ready.ok()) {
    EndTemplate();
  }
  return ready;
}

void Starter::EndTemplate() {
  {
    const MutexLock lock(mutex_);
    running_ = nullptr;
  }
  template_.reset();
}

}  // namespace tintype::darkroom
