#include "pipeline/workers.h"

#include <algorithm>
#include <utility>

#include "base/logging.h"
#include "base/retry.h"
#include "base/strings.h"
#include "contexts/common/transaction.h"
#include "darkroom/failure.h"

namespace tintype::pipeline {

using contexts::Transaction;
using contexts::backlog::Backlog;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;

std::string_view FailureKindOf(const Error& error) {
  if (const auto* failure = error.DetailAs<darkroom::FailureDetail>()) {
    return darkroom::FailureName(failure->kind());
  }
  switch (error.kind()) {
    case ErrorKind::kUnavailable:
    case ErrorKind::kOverloaded:
      return "UNAVAILABLE";
    case ErrorKind::kConditionFailed:
    case ErrorKind::kInUse:
      return "CONFLICT";
    case ErrorKind::kNotFound:
      return "NOT_FOUND";
    case ErrorKind::kIo:
      return "IO";
    case ErrorKind::kCorruption:
      return "CORRUPTION";
    case ErrorKind::kValidation:
      return "INVALID";
    default:
      return "OTHER";
  }
}

void WorkDurations::Add(double seconds) {
  const auto bucket = std::ranges::lower_bound(kBounds, seconds) - kBounds.begin();
  ++counts[static_cast<size_t>(bucket)];
  sum_seconds += seconds;
}

namespace {

Backlog::Failure FailureOf(const Step& step, const Error& error) {
  if (step.is_permanent && step.is_permanent(error)) {
    return Backlog::Failure::kForGood;
  }
  return IsOutage(error) ? Backlog::Failure::kOutage : Backlog::Failure::kForNow;
}

}  // namespace

Workers::Workers(WorkersConfig config, flows::Product& product, std::map<std::string, Step> steps)
    : config_(config), product_(product), steps_(std::move(steps)) {
  const size_t threads =
      config.threads > 0 ? config.threads : std::max(1U, std::thread::hardware_concurrency());
  {
    // All of them from the start: what is counted for the first time is not seen to have grown.
    const MutexLock lock(mutex_);
    for (const auto& [type, step] : steps_) {
      stats_.try_emplace(type);
    }
    stats_.try_emplace(std::string(kUnknownWork));
    expensive_max_ = std::max<size_t>(1, threads - 1);
  }
  threads_.reserve(threads);
  for (size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { Run(); });
  }
  renewer_ = std::thread([this] { RenewLeases(); });
}

Workers::~Workers() { Stop(); }

void Workers::Wake() {
  const MutexLock lock(mutex_);
  ++wakes_;
  changed_.SignalAll();
}

void Workers::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.SignalAll();
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
  if (renewer_.joinable()) {
    renewer_.join();
  }
}

WorkersStats Workers::stats() const {
  const MutexLock lock(mutex_);
  WorkersStats stats;
  stats.by_type = stats_;
  for (const auto& [type, counts] : stats_) {
    stats.completed += counts.completed;
    stats.failed += counts.failed;
    stats.dead += counts.dead;
    stats.lost += counts.lost;
    stats.running += counts.running;
  }
  return stats;
}

WorkersStats::OfType& Workers::StatsOf(const Work& work) {
  const auto known = stats_.find(work.type);
  return known == stats_.end() ? stats_.find(kUnknownWork)->second : known->second;
}

void Workers::Run() {
  while (true) {
    uint64_t seen = 0;
    {
      const MutexLock lock(mutex_);
      if (stopping_) {
        return;
      }
      seen = wakes_;
    }
    if (!TakeOne()) {
      WaitForWork(seen);
    }
  }
}

void Workers::WaitForWork(uint64_t seen) {
  const MutexLock lock(mutex_);
  if (!stopping_ && wakes_ == seen) {
    changed_.WaitFor(mutex_, config_.idle_wait);
  }
}

bool Workers::TakeExpensivePlace() {
  const MutexLock lock(mutex_);
  if (expensive_ == expensive_max_) {
    held_back_ = true;
    return false;
  }
  ++expensive_;
  return true;
}

void Workers::LeaveExpensivePlace() {
  const MutexLock lock(mutex_);
  --expensive_;
  if (held_back_) {
    held_back_ = false;
    ++wakes_;
    changed_.SignalAll();
  }
}

bool Workers::TakeOne() {
  // The place is taken before anybody knows whether it is needed, or two would take the last one.
  bool has_place = TakeExpensivePlace();
  Result<std::optional<Work>> leased =
      product_.backlog.Lease(has_place ? Backlog::Which::kAny : Backlog::Which::kCheap);
  const bool found = leased.ok() && *leased;
  if (!found && has_place) {
    // Nobody else would find anything either.
    const MutexLock lock(mutex_);
    --expensive_;
  } else if (has_place && !IsExpensive(**leased)) {
    LeaveExpensivePlace();
    has_place = false;
  }
  if (!leased.ok()) {
    LogWarning("backlog cannot be read", {{"error", leased.error().message()}});
  }
  if (!found) {
    return false;
  }
  Do(**std::move(leased));
  if (has_place) {
    LeaveExpensivePlace();
  }
  return true;
}

void Workers::Do(const Work& work) {
  const auto began = std::chrono::steady_clock::now();
  {
    const MutexLock lock(mutex_);
    leased_.emplace(work.token, work);
    ++StatsOf(work).running;
  }
  const auto step = steps_.find(work.type);
  if (step == steps_.end()) {
    Step unknown;
    unknown.is_permanent = [](const Error&) { return true; };
    GiveBack(work, unknown,
             Error::Validation(StrCat("This version knows no work of the type ", work.type, ".")),
             began);
  } else if (const Status done = step->second.run(work); done.ok()) {
    const MutexLock lock(mutex_);
    ++StatsOf(work).completed;
  } else {
    GiveBack(work, step->second, done.error(), began);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
  const MutexLock lock(mutex_);
  leased_.erase(work.token);
  --StatsOf(work).running;
  StatsOf(work).durations.Add(taken.count());
}

void Workers::GiveBack(const Work& work, const Step& step, const Error& error,
                       std::chrono::steady_clock::time_point began) {
  const auto taken = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - began);
  Backlog::GivenBack given_back =
      product_.backlog.GiveBack(work, error.message(), FailureOf(step, error), taken);
  Transaction give_back(StrCat("give-back ", work.id, " ", work.token));
  give_back.Add(std::move(given_back.piece));
  if (given_back.status == WorkStatus::kDead && step.when_dead) {
    give_back.Add(step.when_dead(work, error));
  }
  // If that fails, the work is somebody else's already, or will be when the lease ends.
  const Status committed = give_back.Commit(product_.database, product_.retries);
  if (!committed.ok() && step.when_lost) {
    if (const Status cleared = step.when_lost(work); !cleared.ok()) {
      LogWarning("the remains of lost work stay until a scrub finds them",
                 {{"work", work.id}, {"error", cleared.error().message()}});
    }
  }
  LogWarning("work failed",
             {{"work", work.id},
              {"attempt", work.retry_count + 1},
              {"error", error.message()},
              {"note", error.note()},
              {"now", committed.ok() ? NameOf(given_back.status) : "left to its lease"}});
  const MutexLock lock(mutex_);
  WorkersStats::OfType& stats = StatsOf(work);
  ++stats.failures[std::string(FailureKindOf(error))];
  if (!committed.ok()) {
    ++stats.lost;
  } else if (given_back.status == WorkStatus::kDead) {
    ++stats.dead;
  } else {
    ++stats.failed;
  }
}

void Workers::RenewLeases() {
  const auto next_round = [this] {
    const auto until = std::chrono::steady_clock::now() + config_.renew_interval;
    const MutexLock lock(mutex_);
    // Wake signals too, which is no reason to renew.
    while (!(stopping_ && leased_.empty()) && std::chrono::steady_clock::now() < until) {
      changed_.WaitFor(mutex_, std::chrono::milliseconds(100));
    }
    return !(stopping_ && leased_.empty());
  };
  while (next_round()) {
    std::map<std::string, Work> leased;
    {
      const MutexLock lock(mutex_);
      leased = leased_;
    }
    for (auto& [id, work] : leased) {
      // A worker that lost its lease notices when it wants to write.
      product_.backlog.Renew(work).PermitUncheckedError();
    }
  }
}

}  // namespace tintype::pipeline
