#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "contexts/backlog/backlog.h"
#include "metrics/registry.h"
#include "pipeline/workers.h"

namespace tintype::pipeline {

/// The background work of a server in its metrics: what waits, what was done, what failed. The
/// waiting work is read from the backlog's index at a scrape, at most once a second and no further
/// than kCountedMax items of each state; the work done, from the workers. While the backlog cannot
/// be read, the waiting work is absent.
///
/// Owned by the program's wiring; its parts outlive it. Thread-safe.
class WorkMetrics {
 public:
  /// More than that are too many, whatever their number.
  static constexpr int64_t kCountedMax = 10'000;

  WorkMetrics(metrics::Registry& registry, contexts::backlog::Backlog& backlog,
              const Workers& workers, const Clock& clock);

 private:
  using State = contexts::backlog::WorkStatus;
  using Priority = contexts::backlog::Priority;

  /// The backlog as it was read. Everything after the first error is absent.
  struct Snapshot {
    int64_t read_ms = 0;
    std::map<State, contexts::backlog::Backlog::Count> counts;
    std::map<Priority, int64_t> oldest_due_ms;  // 0: none waits.
  };

  Snapshot Read();
  /// Up to the first error.
  Status ReadBacklog(Snapshot& snapshot);
  static void ShowBacklog(metrics::Samples& out, const Snapshot& snapshot,
                          const WorkersStats& workers);
  static void ShowAges(metrics::Samples& out, const Snapshot& snapshot,
                       const WorkersStats& workers);
  static void ShowWork(metrics::Samples& out, const WorkersStats& workers);

  contexts::backlog::Backlog& backlog_;
  const Workers& workers_;
  const Clock& clock_;
  Mutex mutex_;
  std::optional<Snapshot> last_ GUARDED_BY(mutex_);
  int64_t next_read_ms_ GUARDED_BY(mutex_) = 0;
  metrics::Registration registration_;  // Last: its collector uses all of the above.
};

}  // namespace tintype::pipeline
