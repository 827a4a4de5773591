#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"

namespace tintype::tables::engine {

class CommitGroup;
struct Core;

/// One unit of work for the commit thread: a write, a transaction, a change to a table.
class CommitTask {
 public:
  virtual ~CommitTask() = default;

  /// True for tasks that change tables: they see and leave a database without pending writes.
  virtual bool alone() const { return false; }

  /// True for work of ours that goes on by itself and must not be lost to a full queue.
  virtual bool always_accepted() const { return false; }

  /// Decides and stages. Called on the commit thread, in commit order.
  virtual void Evaluate(CommitGroup& group) = 0;

  /// Answers. Called on the commit thread once everything that Evaluate saw and staged is on disk.
  virtual void Finish() = 0;

  /// Answers instead of the two above when the task was not accepted.
  virtual void Refuse(Error error) = 0;
};

/// The commit thread: the one place where the database changes. It takes whatever is waiting as a
/// group, evaluates each task in order against the database and the group's own writes, puts all of
/// it on disk with one batch and one sync, then answers all of it. So transactions are
/// serialisable, no key is ever locked, and an answer is never ahead of the disk.
///
/// A batch that cannot be written stops the process: what is in memory and what is on disk may then
/// differ, and only a fresh start can tell.
///
/// Owned by Core. Submit is thread-safe.
class Committer {
 public:
  explicit Committer(Core& core) : core_(core) {}
  ~Committer() { Stop(); }

  void Start();
  /// Finishes what was accepted, refuses the rest, joins the thread. Idempotent.
  void Stop();

  /// Queues a task, or refuses it at once with kOverloaded or kUnavailable.
  void Submit(std::unique_ptr<CommitTask> task);

 private:
  using Tasks = std::vector<std::unique_ptr<CommitTask>>;
  void Run();
  void CommitAll(Tasks& tasks);

  Core& core_;
  Mutex mutex_;
  CondVar arrived_;
  Tasks waiting_ GUARDED_BY(mutex_);
  bool idle_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace tintype::tables::engine
