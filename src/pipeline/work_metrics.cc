#include "pipeline/work_metrics.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "flows/uploads/upload.h"

namespace tintype::pipeline {
namespace {

using contexts::backlog::kPriorities;
using contexts::backlog::kWorkStates;
using contexts::backlog::NameOf;
using metrics::Family;
using metrics::Samples;

constexpr int64_t kReadAgainMs = 1000;
/// Reading from tables that do not answer takes long, and delays every other metric of the scrape.
constexpr int64_t kReadAfterErrorMs = 30'000;

std::string Lower(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), ToLower);
  return lower;
}

}  // namespace

WorkMetrics::WorkMetrics(metrics::Registry& registry, contexts::backlog::Backlog& backlog,
                         const Workers& workers, const Clock& clock)
    : backlog_(backlog),
      workers_(workers),
      clock_(clock),
      registration_(registry.Collect([this](Samples& out) {
        const WorkersStats stats = workers_.stats();
        ShowBacklog(out, Read(), stats);
        ShowWork(out, stats);
      })) {}

WorkMetrics::Snapshot WorkMetrics::Read() {
  const MutexLock lock(mutex_);
  const int64_t now_ms = clock_.NowMs();
  // A clock that was put back is no reason to show what is old.
  if (last_ && now_ms >= last_->read_ms && now_ms < next_read_ms_) {
    return *last_;
  }
  Snapshot snapshot;
  snapshot.read_ms = now_ms;
  const bool complete = ReadBacklog(snapshot).ok();
  // From the end of an attempt that failed, which may have taken long.
  next_read_ms_ = complete ? now_ms + kReadAgainMs : clock_.NowMs() + kReadAfterErrorMs;
  last_ = snapshot;
  return snapshot;
}

Status WorkMetrics::ReadBacklog(Snapshot& snapshot) {
  for (const State state : kWorkStates) {
    ASSIGN_OR_RETURN(auto count, backlog_.CountIn(state, kCountedMax));
    snapshot.counts.emplace(state, std::move(count));
  }
  for (const Priority priority : kPriorities) {
    ASSIGN_OR_RETURN(const auto due_ms, backlog_.OldestDueMs(priority));
    snapshot.oldest_due_ms.emplace(priority, due_ms.value_or(0));
  }
  return OkStatus();
}

void WorkMetrics::ShowBacklog(Samples& out, const Snapshot& snapshot, const WorkersStats& workers) {
  Family& items = out.Gauge("tintype_backlog_items",
                            StrCat("Background work by state and type; of each state the first ",
                                   kCountedMax, " are counted."));
  Family& truncated = out.Gauge("tintype_backlog_truncated",
                                "1 when there is more work in a state than is counted, so that "
                                "tintype_backlog_items is the least there is; else 0.");
  for (const auto& [state, count] : snapshot.counts) {
    const std::string state_name = Lower(NameOf(state));
    // Writers of the table may write any type: one that nobody knows is not given a name.
    std::map<std::string_view, int64_t> known;
    for (const auto& [type, stats] : workers.by_type) {
      known.emplace(type, 0);
    }
    for (const auto& [type, number] : count.by_type) {
      const auto it = known.find(type);
      (it == known.end() ? known[kUnknownWork] : it->second) += number;
    }
    for (const auto& [type, number] : known) {
      items.Sample({{"state", state_name}, {"type", type}}, number);
    }
    truncated.Sample({{"state", state_name}}, !count.complete);
  }
  ShowAges(out, snapshot, workers);
  Family& uploads = out.Gauge("tintype_uploads_in_progress",
                              "Uploads that have begun and are neither complete nor given up.");
  if (const auto delayed = snapshot.counts.find(State::kDelayed);
      delayed != snapshot.counts.end()) {
    // Each has work waiting that will give it up, which is due before what waits in the trash.
    const auto& by_type = delayed->second.by_type;
    const auto waiting = by_type.find(flows::kAbandonWork);
    uploads.Sample({}, waiting == by_type.end() ? 0 : waiting->second);
  }
}

void WorkMetrics::ShowAges(Samples& out, const Snapshot& snapshot, const WorkersStats& workers) {
  const auto age_s = [&snapshot](int64_t due_ms) {
    return static_cast<double>(std::max<int64_t>(0, snapshot.read_ms - due_ms)) / 1000;
  };
  Family& oldest = out.Gauge("tintype_backlog_oldest_age_seconds",
                             "How long the work that is next could have been done, by priority; 0 "
                             "when none waits.");
  for (const auto& [priority, due_ms] : snapshot.oldest_due_ms) {
    oldest.Sample({{"priority", NameOf(priority)}}, due_ms == 0 ? 0.0 : age_s(due_ms));
  }
  // Work that is being done waits no more, and what is dead waits for a person.
  std::map<std::string_view, double> by_type;
  for (const auto& [type, stats] : workers.by_type) {
    by_type.emplace(type, 0);
  }
  for (const State state : {State::kPending, State::kDelayed}) {
    const auto counted = snapshot.counts.find(state);
    if (counted == snapshot.counts.end()) {
      return;
    }
    for (const auto& [type, due_ms] : counted->second.first_due_ms) {
      const auto known = by_type.find(type);
      double& age = known == by_type.end() ? by_type[kUnknownWork] : known->second;
      age = std::max(age, age_s(due_ms));
    }
  }
  Family& oldest_by_type =
      out.Gauge("tintype_work_oldest_age_seconds",
                "How long the work of a type that waits longest could have been done, of what "
                "tintype_backlog_items counts; 0 when none waits.");
  for (const auto& [type, age] : by_type) {
    oldest_by_type.Sample({{"type", type}}, age);
  }
}

void WorkMetrics::ShowWork(Samples& out, const WorkersStats& workers) {
  Family& completed =
      out.Counter("tintype_work_completed_total", "Pieces of background work that were done.");
  Family& failed = out.Counter("tintype_work_failed_total",
                               "Attempts at background work that failed, by the kind of failure.");
  Family& dead =
      out.Counter("tintype_work_dead_total", "Pieces of background work that were given up.");
  Family& lost = out.Counter("tintype_work_lost_total",
                             "Attempts at background work whose lease was lost to others.");
  Family& running = out.Gauge("tintype_work_running", "Pieces of background work in progress.");
  Family& durations = out.Histogram("tintype_work_duration_seconds",
                                    "Time of one attempt at background work, failed or not.");
  for (const auto& [type, counts] : workers.by_type) {
    completed.Sample({{"type", type}}, counts.completed);
    for (const auto& [kind, number] : counts.failures) {
      failed.Sample({{"type", type}, {"kind", Lower(kind)}}, number);
    }
    dead.Sample({{"type", type}}, counts.dead);
    lost.Sample({{"type", type}}, counts.lost);
    running.Sample({{"type", type}}, counts.running);
    const auto& bounds = WorkDurations::kBounds;
    durations.Sample({{"type", type}}, metrics::Distribution{{bounds.begin(), bounds.end()},
                                                             {counts.durations.counts.begin(),
                                                              counts.durations.counts.end()},
                                                             counts.durations.sum_seconds});
  }
}

}  // namespace tintype::pipeline
