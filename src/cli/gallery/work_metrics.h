#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "contexts/backlog/backlog.h"
#include "darkroom/darkroom.h"
#include "http/dynamodb/exposition.h"
#include "pipeline/workers.h"

namespace tintype::cli {

/// The background work of a server in its metrics: what waits, what was done, what failed, and the
/// helpers that do it. What waits is read from the backlog's index when somebody asks, at most once
/// a second and no further than kCountedMax items of each state; what was done, from the workers.
///
/// Owned by the gallery; its parts outlive it. Thread-safe.
class WorkMetrics {
 public:
  /// More than that are too many, whatever their number.
  static constexpr int64_t kCountedMax = 10'000;

  WorkMetrics(contexts::backlog::Backlog& backlog, const pipeline::Workers& workers,
              const darkroom::Darkroom& developing, const darkroom::Darkroom& resizing,
              const Clock& clock)
      : backlog_(backlog),
        workers_(workers),
        developing_(developing),
        resizing_(resizing),
        clock_(clock) {}

  void Show(http::dynamodb::Exposition& out);

 private:
  using State = contexts::backlog::WorkStatus;
  using Priority = contexts::backlog::Priority;

  /// The backlog as it was read. A part that could not be read is absent.
  struct Snapshot {
    int64_t read_ms = 0;
    std::map<State, contexts::backlog::Backlog::Count> counts;
    std::map<Priority, int64_t> oldest_due_ms;  // 0: none waits.
  };

  Snapshot Read();
  void ShowBacklog(http::dynamodb::Exposition& out, const Snapshot& snapshot) const;
  static void ShowWork(http::dynamodb::Exposition& out, const pipeline::WorkersStats& stats);
  void ShowHelpers(http::dynamodb::Exposition& out) const;

  contexts::backlog::Backlog& backlog_;
  const pipeline::Workers& workers_;
  const darkroom::Darkroom& developing_;
  const darkroom::Darkroom& resizing_;
  const Clock& clock_;
  Mutex mutex_;
  std::optional<Snapshot> last_ GUARDED_BY(mutex_);
};

}  // namespace tintype::cli
