#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/product.h"
#include "tables/language/changes.h"

namespace tintype::pipeline {

struct ReconcilerConfig {
  /// The longest wait for a change before it looks whether it should stop. Default 200 ms.
  std::chrono::milliseconds wait{200};
  /// How long it rests between two looks. Default 50 ms.
  std::chrono::milliseconds pause{50};
  /// How often the place is stored when nothing had to be queued. Default 10 min: well below the
  /// day for which changes are kept, and no second write for each of ours.
  std::chrono::milliseconds store_interval{600'000};
};

/// Follows the change log and queues what follows from writes that others made to our tables. The
/// place up to which it has read is stored with what it queues, so that no change is missed and
/// none is acted on twice, crashes included. Owned by the program's wiring. Thread-safe.
class Reconciler {
 public:
  /// `woken` is called when something was queued.
  Reconciler(ReconcilerConfig config, flows::Product& product, tables::ChangeLog& changes,
             std::function<void()> woken);
  /// Stops, if Stop was not called.
  ~Reconciler();
  Reconciler(const Reconciler&) = delete;
  Reconciler& operator=(const Reconciler&) = delete;

  void Stop();

 private:
  void Run();
  /// Reads some of what has happened and queues what follows; returns whether there was anything.
  Result<bool> Round();
  /// A foreign write may yield work that the backlog rejects; log it and go on with the rest.
  Status QueueOneByOne(const std::map<std::string, contexts::backlog::Work>& consequences,
                       tables::ChangePosition next);
  void Pause();
  Result<tables::ChangePosition> LoadPosition();

  const ReconcilerConfig config_;
  flows::Product& product_;
  tables::ChangeLog& changes_;
  const std::function<void()> woken_;
  // Only its own thread uses these two.
  std::optional<tables::ChangePosition> position_;
  int64_t stored_ms_ = 0;
  Mutex mutex_;
  CondVar changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace tintype::pipeline
