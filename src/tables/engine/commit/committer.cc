#include "tables/engine/commit/committer.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/logging.h"
#include "tables/engine/commit/commit_group.h"
#include "tables/engine/commit/core.h"
#include "tables/language/shutting_down.h"

namespace tintype::tables::engine {
namespace {

// A group larger than this is written before more is added to it: memory stays bounded, and the
// first tasks of a flood are not kept waiting for the last.
constexpr size_t kGroupBytes = size_t{8} << 20;

Error CannotWrite() {
  return Error(ErrorKind::kIo, "Internal server error").WithNote("the tables cannot be written");
}

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
  std::optional<Error> refusal;
  {
    const MutexLock lock(mutex_);
    const bool room = waiting_.size() < core_.config.commit_queue_limit || task->always_accepted();
    if (!stopping_ && !failed_ && room) {
      waiting_.push_back(std::move(task));
      if (idle_) {
        arrived_.SignalOne();
      }
      return;
    }
    if (failed_) {
      refusal = CannotWrite();
    } else if (stopping_) {
      refusal = ShuttingDown();
    } else {
      refused_.fetch_add(1, std::memory_order_relaxed);
      refusal = Error(ErrorKind::kOverloaded, "Too many writes are waiting. Try again later.");
    }
  }
  task->Refuse(*std::move(refusal));
}

void Committer::RoomArrived() {
  const MutexLock lock(mutex_);
  room_arrived_ = true;
  arrived_.SignalOne();
}

void Committer::Run() {
  Tasks tasks;
  while (true) {
    tasks.clear();
    {
      const MutexLock lock(mutex_);
      while (waiting_.empty() && !stopping_ && !room_arrived_) {
        idle_ = true;
        arrived_.Wait(mutex_);
      }
      idle_ = false;
      if (waiting_.empty() && stopping_) {
        break;
      }
      tasks.swap(waiting_);
      if (room_arrived_) {
        room_arrived_ = false;
        std::move(waiting_for_room_.begin(), waiting_for_room_.end(), std::back_inserter(tasks));
        waiting_for_room_.clear();
      }
    }
    CommitAll(tasks);
  }
  for (const std::unique_ptr<CommitTask>& task : waiting_for_room_) {
    task->Refuse(ShuttingDown());
  }
  waiting_for_room_.clear();
}

void Committer::CommitAll(Tasks& tasks) {
  size_t next = 0;
  while (next < tasks.size()) {
    const Room room = core_.storage->waits_for_space() ? core_.disk_space.Check()
                                                       : core_.disk_space.RoomForGroup();
    if (!Accepts(*tasks[next], room)) {
      RefuseForRoom(std::move(tasks[next++]));
      continue;
    }
    CommitGroup group(core_);
    const size_t first = next;
    do {
      tasks[next++]->Evaluate(group);
    } while (!tasks[next - 1]->alone() && next < tasks.size() && !tasks[next]->alone() &&
             group.bytes() < kGroupBytes && Accepts(*tasks[next], room));
    group.Seal();
    const auto began = std::chrono::steady_clock::now();
    const Status written = group.Write();
    if (!written.ok() && written.error().kind() == ErrorKind::kUnavailable) {
      // A write buffer turned out not to fit on the disk after we had looked.
      group.Drop();
      for (size_t i = first; i < next; ++i) {
        RefuseForRoom(std::move(tasks[i]));
      }
      // If there is room again by now, nobody else would notice that there was none.
      if (core_.disk_space.Check() == Room::kEnough) {
        RoomArrived();
      }
      continue;
    }
    if (!written.ok()) {
      Fail(tasks, first, written.error());
      return;
    }
    CountGroup(next - first, group.bytes(), std::chrono::steady_clock::now() - began);
    core_.disk_space.CountWritten(group.bytes());
    for (size_t i = first; i < next; ++i) {
      tasks[i]->Finish();
    }
  }
}

void Committer::CountGroup(size_t tasks, size_t bytes,
                           std::chrono::steady_clock::duration writing) {
  groups_.fetch_add(1, std::memory_order_relaxed);
  tasks_.fetch_add(tasks, std::memory_order_relaxed);
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
  write_durations_.Observe(writing);
  const auto& bounds = CommitStats::kTaskBounds;
  const auto bucket = std::ranges::lower_bound(bounds, tasks) - bounds.begin();
  groups_by_tasks_[static_cast<size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
}

CommitStats Committer::stats() const {
  CommitStats stats;
  stats.groups_total = groups_.load(std::memory_order_relaxed);
  stats.tasks_total = tasks_.load(std::memory_order_relaxed);
  stats.bytes_total = bytes_.load(std::memory_order_relaxed);
  stats.write_durations = write_durations_.Read();
  for (size_t i = 0; i < stats.groups_by_tasks.size(); ++i) {
    stats.groups_by_tasks[i] = groups_by_tasks_[i].load(std::memory_order_relaxed);
  }
  stats.refused_total = refused_.load(std::memory_order_relaxed);
  const MutexLock lock(mutex_);
  stats.waiting = waiting_.size();
  return stats;
}

bool Committer::Accepts(const CommitTask& task, Room room) const {
  return room == Room::kEnough || (room == Room::kReserve && task.fits_nearly_full_disk());
}

void Committer::RefuseForRoom(std::unique_ptr<CommitTask> task) {
  if (task->always_accepted()) {
    waiting_for_room_.push_back(std::move(task));
    return;
  }
  task->Refuse(
      Error(ErrorKind::kUnavailable,
            "The server's disk is full: nothing was written. Deletions are accepted as long "
            "as possible, other writes once there is room again."));
}

void Committer::Fail(Tasks& tasks, size_t first, const Error& error) {
  Tasks refused;
  {
    const MutexLock lock(mutex_);
    failed_ = true;
    refused.swap(waiting_);
  }
  for (size_t i = first; i < tasks.size(); ++i) {
    tasks[i]->Refuse(CannotWrite());
  }
  for (const std::unique_ptr<CommitTask>& task : refused) {
    task->Refuse(CannotWrite());
  }
  LogError("the tables could not be written; nothing more is accepted", {{"reason", error.note()}});
  if (core_.config.on_failure) {
    core_.config.on_failure(error);
  }
}

}  // namespace tintype::tables::engine
