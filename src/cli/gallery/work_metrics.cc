#include "cli/gallery/work_metrics.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "flows/upload.h"

namespace tintype::cli {
namespace {

using contexts::backlog::Backlog;
using contexts::backlog::kPriorities;
using contexts::backlog::kWorkStates;
using contexts::backlog::NameOf;
using http::dynamodb::Exposition;
using pipeline::WorkersStats;

constexpr auto kCounter = Exposition::Type::kCounter;
constexpr auto kGauge = Exposition::Type::kGauge;
constexpr int64_t kReadAgainMs = 1000;

std::string Lower(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), ToLower);
  return lower;
}

}  // namespace

WorkMetrics::Snapshot WorkMetrics::Read() {
  const MutexLock lock(mutex_);
  const int64_t now_ms = clock_.NowMs();
  // A clock that was put back is no reason to show what is old.
  if (last_ && now_ms >= last_->read_ms && now_ms - last_->read_ms < kReadAgainMs) {
    return *last_;
  }
  Snapshot snapshot;
  snapshot.read_ms = now_ms;
  for (const State state : kWorkStates) {
    if (auto count = backlog_.CountIn(state, kCountedMax); count.ok()) {
      snapshot.counts.emplace(state, *std::move(count));
    }
  }
  for (const Priority priority : kPriorities) {
    if (const auto due_ms = backlog_.OldestDueMs(priority); due_ms.ok()) {
      snapshot.oldest_due_ms.emplace(priority, due_ms->value_or(0));
    }
  }
  last_ = snapshot;
  return snapshot;
}

void WorkMetrics::ShowBacklog(Exposition& out, const Snapshot& snapshot) const {
  const auto types = workers_.stats().by_type;
  out.Begin("tintype_backlog_items", kGauge,
            StrCat("Background work by state and type; of each state the first ", kCountedMax,
                   " are counted."));
  for (const auto& [state, count] : snapshot.counts) {
    // Whoever writes the table may write any type: one that nobody knows is not given a name.
    std::map<std::string_view, uint64_t> known;
    for (const auto& [type, stats] : types) {
      known.emplace(type, 0);
    }
    for (const auto& [type, number] : count.by_type) {
      const auto it = known.find(type);
      (it == known.end() ? known[pipeline::kUnknownWork] : it->second) +=
          static_cast<uint64_t>(number);
    }
    for (const auto& [type, number] : known) {
      out.Sample({{"state", Lower(NameOf(state))}, {"type", type}}, number);
    }
  }
  out.Begin("tintype_backlog_truncated", kGauge,
            "1 when there is more work in a state than is counted, so that tintype_backlog_items "
            "is the least there is; else 0.");
  for (const auto& [state, count] : snapshot.counts) {
    out.Sample({{"state", Lower(NameOf(state))}}, uint64_t{count.complete ? 0U : 1U});
  }
  out.Begin("tintype_backlog_oldest_age_seconds", kGauge,
            "How long the work that waits longest could have been done, by priority; 0 when none "
            "waits.");
  for (const auto& [priority, due_ms] : snapshot.oldest_due_ms) {
    const int64_t age_ms = due_ms == 0 ? 0 : std::max<int64_t>(0, snapshot.read_ms - due_ms);
    out.Sample({{"priority", NameOf(priority)}}, static_cast<double>(age_ms) / 1000);
  }
  out.Begin("tintype_uploads_in_progress", kGauge,
            "Uploads that have begun and are neither complete nor given up.");
  if (const auto delayed = snapshot.counts.find(State::kDelayed);
      delayed != snapshot.counts.end()) {
    // Each has work waiting that will give it up, which is due before what waits in the trash.
    const auto uploads = delayed->second.by_type.find(flows::kAbandonWork);
    out.Sample(
        {}, static_cast<uint64_t>(uploads == delayed->second.by_type.end() ? 0 : uploads->second));
  }
}

void WorkMetrics::ShowWork(Exposition& out, const WorkersStats& stats) {
  const auto show = [&](std::string_view name, Exposition::Type type, std::string_view help,
                        uint64_t pipeline::WorkCounts::*field) {
    out.Begin(name, type, help);
    for (const auto& [work, counts] : stats.by_type) {
      out.Sample({{"type", work}}, counts.*field);
    }
  };
  show("tintype_work_completed_total", kCounter, "Pieces of background work that were done.",
       &pipeline::WorkCounts::completed);
  out.Begin("tintype_work_failed_total", kCounter,
            "Attempts at background work that failed, by the kind of failure.");
  for (const auto& [work, counts] : stats.by_type) {
    for (const auto& [kind, number] : counts.failures) {
      out.Sample({{"type", work}, {"kind", Lower(kind)}}, number);
    }
  }
  show("tintype_work_dead_total", kCounter, "Pieces of background work that were given up.",
       &pipeline::WorkCounts::dead);
  show("tintype_work_lost_total", kCounter,
       "Attempts at background work whose lease was lost to others.", &pipeline::WorkCounts::lost);
  show("tintype_work_running", kGauge, "Pieces of background work in progress.",
       &pipeline::WorkCounts::running);
  out.Begin("tintype_work_duration_seconds", Exposition::Type::kHistogram,
            "Time of one attempt at background work, whatever came of it.");
  for (const auto& [work, counts] : stats.by_type) {
    out.Histogram({{"type", work}}, {pipeline::WorkDurations::kBounds, counts.durations.counts,
                                     counts.durations.sum_seconds});
  }
}

void WorkMetrics::ShowHelpers(Exposition& out) const {
  const std::array<std::pair<std::string_view, darkroom::DarkroomStats>, 2> darkrooms = {
      {{"develop", developing_.stats()}, {"resize", resizing_.stats()}}};
  const auto show = [&](std::string_view name, Exposition::Type type, std::string_view help,
                        uint64_t darkroom::DarkroomStats::*field) {
    out.Begin(name, type, help);
    for (const auto& [purpose, stats] : darkrooms) {
      out.Sample({{"for", purpose}}, stats.*field);
    }
  };
  show("tintype_darkroom_helpers_running", kGauge, "Image helper processes that run.",
       &darkroom::DarkroomStats::running);
  show("tintype_darkroom_waiting", kGauge, "Calls that wait for an image helper.",
       &darkroom::DarkroomStats::waiting);
  show("tintype_darkroom_helpers_started_total", kCounter,
       "Image helper processes that were started.", &darkroom::DarkroomStats::started);
  out.Begin("tintype_darkroom_helpers_replaced_total", kCounter,
            "Image helper processes that ended: failed ones died, hung or answered nonsense, worn "
            "ones had done enough or had grown.");
  for (const auto& [purpose, stats] : darkrooms) {
    out.Sample({{"for", purpose}, {"reason", "failed"}}, stats.replaced_failed);
    out.Sample({{"for", purpose}, {"reason", "worn"}}, stats.replaced_worn);
  }
  out.Begin("tintype_darkroom_failures_total", kCounter,
            "Pictures that an image helper could not do, by the kind of failure.");
  for (const auto& [purpose, stats] : darkrooms) {
    for (const auto& [kind, number] : stats.failures) {
      out.Sample({{"for", purpose}, {"kind", Lower(darkroom::FailureName(kind))}}, number);
    }
  }
}

void WorkMetrics::Show(Exposition& out) {
  ShowBacklog(out, Read());
  ShowWork(out, workers_.stats());
  ShowHelpers(out);
}

}  // namespace tintype::cli
