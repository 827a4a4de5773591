#include "pipeline/workers.h"

#include <algorithm>
#include <utility>

#include "base/logging.h"
#include "base/strings.h"
#include "contexts/common/transaction.h"
#include "darkroom/failure.h"

namespace tintype::pipeline {

using contexts::Transaction;
using contexts::backlog::Backlog;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;

bool IsOutage(const Error& error) {
  if (const auto* failure = error.DetailAs<darkroom::FailureDetail>()) {
    return failure->kind() == darkroom::FailureKind::kNotRunning;
  }
  return error.code() == ErrorCode::kUnavailable || error.code() == ErrorCode::kOverloaded;
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
  WorkersStats stats = stats_;
  stats.running = leased_.size();
  return stats;
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

bool Workers::TakeOne() {
  Result<std::optional<Work>> leased = product_.backlog.Lease();
  if (!leased.ok()) {
    LogWarning("backlog cannot be read", {{"error", leased.error().message()}});
    return false;
  }
  if (!*leased) {
    return false;
  }
  Do(**std::move(leased));
  return true;
}

void Workers::Do(const Work& work) {
  {
    const MutexLock lock(mutex_);
    leased_.emplace(work.token, work);
  }
  const auto step = steps_.find(work.type);
  if (step == steps_.end()) {
    GiveBack(work, {.run = {}, .is_permanent = [](const Error&) { return true; }, .when_dead = {}},
             Error::Validation(StrCat("This version knows no work of the type ", work.type, ".")));
  } else if (const Status done = step->second.run(work); done.ok()) {
    const MutexLock lock(mutex_);
    ++stats_.completed;
  } else {
    GiveBack(work, step->second, done.error());
  }
  const MutexLock lock(mutex_);
  leased_.erase(work.token);
}

void Workers::GiveBack(const Work& work, const Step& step, const Error& error) {
  Backlog::GivenBack given_back =
      product_.backlog.GiveBack(work, error.message(), FailureOf(step, error));
  Transaction give_back(StrCat("give-back ", work.id, " ", work.token));
  give_back.Add(std::move(given_back.piece));
  if (given_back.status == WorkStatus::kDead && step.when_dead) {
    give_back.Add(step.when_dead(work, error));
  }
  // If that fails, the work is somebody else's already, or will be when the lease ends.
  const Status committed = give_back.Commit(product_.database, product_.retries);
  LogWarning("work failed",
             {{"work", work.id},
              {"attempt", work.retry_count + 1},
              {"error", error.message()},
              {"note", error.note()},
              {"now", committed.ok() ? NameOf(given_back.status) : "left to its lease"}});
  const MutexLock lock(mutex_);
  if (!committed.ok()) {
    ++stats_.lost;
  } else if (given_back.status == WorkStatus::kDead) {
    ++stats_.dead;
  } else {
    ++stats_.failed;
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
      // Whoever lost its lease notices when it wants to write.
      product_.backlog.Renew(work).PermitUncheckedError();
    }
  }
}

}  // namespace tintype::pipeline
