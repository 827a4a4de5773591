#include "tables/engine/committer.h"

#include <cstdlib>
#include <utility>

#include "base/logging.h"
#include "tables/engine/commit_group.h"
#include "tables/engine/core.h"

namespace tintype::tables::engine {
namespace {

// A group larger than this is written before more is added to it: memory stays bounded, and the
// first tasks of a flood are not kept waiting for the last.
constexpr size_t kGroupBytes = size_t{8} << 20;

}  // namespace

void Committer::Start() {
  CHECK(!thread_.joinable());
  thread_ = std::thread([this] { Run(); });
}

void Committer::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    arrived_.SignalAll();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Committer::Submit(std::unique_ptr<CommitTask> task) {
  Error refusal(ErrorCode::kUnavailable, "The server is shutting down");
  {
    const MutexLock lock(mutex_);
    const bool room = waiting_.size() < core_.config.commit_queue_limit || task->always_accepted();
    if (!stopping_ && room) {
      waiting_.push_back(std::move(task));
      if (idle_) {
        arrived_.SignalOne();
      }
      return;
    }
    if (!stopping_) {
      refusal = Error(ErrorCode::kOverloaded, "Too many writes are waiting. Try again later.");
    }
  }
  task->Refuse(std::move(refusal));
}

void Committer::Run() {
  Tasks tasks;
  while (true) {
    tasks.clear();
    {
      const MutexLock lock(mutex_);
      while (waiting_.empty() && !stopping_) {
        idle_ = true;
        arrived_.Wait(mutex_);
      }
      idle_ = false;
      if (waiting_.empty()) {
        return;
      }
      tasks.swap(waiting_);
    }
    CommitAll(tasks);
  }
}

void Committer::CommitAll(Tasks& tasks) {
  size_t next = 0;
  while (next < tasks.size()) {
    CommitGroup group(core_);
    const size_t first = next;
    do {
      tasks[next++]->Evaluate(group);
    } while (!tasks[next - 1]->alone() && next < tasks.size() && !tasks[next]->alone() &&
             group.bytes() < kGroupBytes);
    if (const Status written = group.Write(); !written.ok()) {
      LogError("the tables could not be written; stopping so that nothing false is answered",
               {{"reason", written.error().note()}});
      std::abort();
    }
    for (size_t i = first; i < next; ++i) {
      tasks[i]->Finish();
    }
  }
}

}  // namespace tintype::tables::engine
