#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "metrics/instruments.h"
#include "tables/engine/commit/commit_stats.h"
#include "tables/engine/storage/disk_space.h"

namespace tintype::tables::engine {

class CommitGroup;
struct Core;

/// One unit of work for the commit thread: a write, a transaction, a change to a table.
class CommitTask {
 public:
  virtual ~CommitTask() = default;

  /// True for tasks that change tables: they see and leave a database without pending writes.
  virtual bool alone() const { return false; }

  /// True for work of ours that goes on by itself and must be lost neither to a full queue nor to a
  /// full disk: it waits for room.
  virtual bool always_accepted() const { return false; }

  /// True for tasks that are accepted on a disk that is nearly full: those that leave less behind
  /// than was there, and this server's own.
  virtual bool fits_nearly_full_disk() const { return false; }

  /// Decides and stages. Called on the commit thread, in commit order.
  virtual void Evaluate(CommitGroup& group) = 0;

  /// Answers. Called on the commit thread once everything that Evaluate saw and staged is on disk.
  virtual void Finish() = 0;

  /// Answers instead of Finish when the task was not accepted, or when nothing of its group could
  /// be written.
  virtual void Refuse(Error error) = 0;
};

/// The commit thread: the one place where the database changes. It takes whatever is waiting as a
/// group, evaluates each task in order against the database and the group's own writes, puts all of
/// it on disk with one batch and one sync, then answers all of it. So transactions are
/// serialisable, no key is ever locked, and an answer is never ahead of the disk.
///
/// When there is little room on the disk, tasks are refused with kUnavailable before they are
/// evaluated. A batch that cannot be written for any other reason is the end: memory and disk may
/// then differ, and only a fresh start can tell. Nothing is tried again, because a second sync
/// succeeds even if the first one lost the data. Everything that waits and everything that comes is
/// refused with kIo, and EngineConfig::on_failure is called.
///
/// Owned by Core. Submit is thread-safe.
class Committer {
 public:
  explicit Committer(Core& core) : core_(core) {}
  ~Committer() { Stop(); }

  void Start();
  /// Finishes what was accepted, refuses the rest, joins the thread. Idempotent.
  void Stop();

  /// Queues a task, or refuses it at once with kOverloaded, kUnavailable or kIo.
  void Submit(std::unique_ptr<CommitTask> task);

  /// There is more room on the disk than there was: goes on with what waited for it. Thread-safe.
  void RoomArrived();

  CommitStats stats() const;

 private:
  using Tasks = std::vector<std::unique_ptr<CommitTask>>;
  void Run();
  void CommitAll(Tasks& tasks);
  bool Accepts(const CommitTask& task, Room room) const;
  void RefuseForRoom(std::unique_ptr<CommitTask> task);
  void CountGroup(size_t tasks, size_t bytes, std::chrono::steady_clock::duration writing);
  void Fail(Tasks& tasks, size_t first, const Error& error);

  Core& core_;
  mutable Mutex mutex_;
  CondVar arrived_;
  Tasks waiting_ GUARDED_BY(mutex_);
  bool idle_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool room_arrived_ GUARDED_BY(mutex_) = false;
  bool failed_ GUARDED_BY(mutex_) = false;
  Tasks waiting_for_room_;  // Work of ours; of the commit thread.

  // Counted by the commit thread, but for the refused; read by any.
  std::atomic<uint64_t> groups_ = 0;
  std::atomic<uint64_t> tasks_ = 0;
  std::atomic<uint64_t> bytes_ = 0;
  std::atomic<uint64_t> refused_ = 0;
  std::array<std::atomic<uint64_t>, CommitStats::kTaskBounds.size() + 1> groups_by_tasks_ = {};
  metrics::Histogram write_durations_{metrics::kDurationBounds};

  std::thread thread_;
};

}  // namespace tintype::tables::engine
