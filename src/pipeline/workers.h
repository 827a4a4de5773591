#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "contexts/backlog/backlog.h"
#include "flows/product.h"

/// Work in the background: leases, bounded workers, the steps they take.
namespace tintype::pipeline {

/// How a step deals with one type of work.
struct Step {
  /// Does the work, which may have been done before in whole or in part, and completes it: its last
  /// transaction has `Backlog::Complete`. An error gives the work back, to be tried again, unless
  /// `is_permanent` says that this cannot help; one that is an outage (base/retry.h) counts for no
  /// attempt.
  std::function<Status(const contexts::backlog::Work& work)> run;
  std::function<bool(const Error& error)> is_permanent;
  /// What else is true when the work is dead; committed together with that.
  std::function<contexts::Pieces(const contexts::backlog::Work& work, const Error& error)>
      when_dead;
  /// Called when an attempt failed and the work could not be given back, since it is another
  /// worker's by then, or nobody's any more: what this one has stored may be in nobody's way but
  /// its own.
  std::function<Status(const contexts::backlog::Work& work)> when_lost;
};

struct WorkersConfig {
  /// How many pieces of work are done at once. Default 0: one per core.
  size_t threads = 0;
  /// How often to look for work when there was none and nobody called Wake. Default 1 s.
  std::chrono::milliseconds idle_wait{1'000};
  /// How often leases are renewed; well below the length of one. Default 20 s.
  std::chrono::milliseconds renew_interval{20'000};
};

/// Why an attempt at work failed, in a word of a short list: for records that are counted by it.
std::string_view FailureKindOf(const Error& error);

/// What workers have done since they were started.
struct WorkCounts {
  uint64_t completed = 0;
  uint64_t failed = 0;  // Attempts that will be repeated.
  uint64_t dead = 0;
  uint64_t lost = 0;  // Leases that others took over.
  uint64_t running = 0;
};

/// How long attempts took, whatever came of them.
struct WorkDurations {
  /// In seconds; longer ones are in the last count.
  static constexpr std::array<double, 12> kBounds = {0.005, 0.025, 0.1, 0.25, 0.5, 1,
                                                     2.5,   5,     10,  30,   60,  300};
  std::array<uint64_t, kBounds.size() + 1> counts{};
  double sum_seconds = 0;

  void Add(double seconds);
};

struct WorkersStats : WorkCounts {
  /// By the type of work: every one that there is a step for, and `unknown` for all others.
  struct OfType : WorkCounts {
    /// Attempts that failed, by FailureKindOf, those with which the work was given up too.
    std::map<std::string, uint64_t, std::less<>> failures;
    WorkDurations durations;
  };
  std::map<std::string, OfType, std::less<>> by_type;
};
inline constexpr std::string_view kUnknownWork = "unknown";

/// Takes work from the backlog and has it done by the step of its type. Where there is more than
/// one worker, the last one that is free takes no expensive work (backlog/work.h): what is quick
/// waits for something quick at most, however much of the other is queued. Work that was taken for
/// quick and is not has the last worker once: when it fails, its cost is what it took. Owned by the
/// program's wiring. Thread-safe. After a crash: the leases end, and other workers take the work
/// over.
class Workers {
 public:
  Workers(WorkersConfig config, flows::Product& product, std::map<std::string, Step> steps);
  /// Stops, if Stop was not called.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Look now: something was put into the backlog.
  void Wake();
  /// Lets the work in progress end, takes no more, and joins the threads.
  void Stop();

  WorkersStats stats() const;

 private:
  void Run();
  /// Whether there was something to do.
  bool TakeOne();
  /// Takes a place for expensive work; false when only one place is left.
  bool TakeExpensivePlace();
  void LeaveExpensivePlace();
  void Do(const contexts::backlog::Work& work);
  /// `began` is when the attempt did.
  void GiveBack(const contexts::backlog::Work& work, const Step& step, const Error& error,
                std::chrono::steady_clock::time_point began);
  WorkersStats::OfType& StatsOf(const contexts::backlog::Work& work) REQUIRES_LOCK(mutex_);
  void RenewLeases();
  /// Until something happens that had not when `wakes_` was `seen`.
  void WaitForWork(uint64_t seen);

  const WorkersConfig config_;
  flows::Product& product_;
  const std::map<std::string, Step> steps_;

  mutable Mutex mutex_;
  CondVar changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  uint64_t wakes_ GUARDED_BY(mutex_) = 0;
  /// How many workers do expensive work, or look for whatever there is; and how many may.
  size_t expensive_ GUARDED_BY(mutex_) = 0;
  size_t expensive_max_ GUARDED_BY(mutex_) = 1;
  /// Somebody was refused such a place since one was last left.
  bool held_back_ GUARDED_BY(mutex_) = false;
  std::map<std::string, WorkersStats::OfType, std::less<>> stats_ GUARDED_BY(mutex_);
  /// Leases in use, by their token: one piece of work may be leased anew before its last holder
  /// here has noticed.
  std::map<std::string, contexts::backlog::Work> leased_ GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
  std::thread renewer_;
};

}  // namespace tintype::pipeline
