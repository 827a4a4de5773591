#include "flows/scrub/run.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/item.h"
#include "contract/limits.h"
#include "flows/images/delete_image.h"
#include "flows/images/develop.h"
#include "flows/upkeep/rebuild.h"
#include "flows/upkeep/reconcile.h"
#include "flows/uploads/upload.h"

namespace tintype::flows::scrub {

Place PlaceOf(const std::optional<tables::Item>& after) {
  Place place;
  if (after) {
    const contexts::ItemReader read(*after);
    for (const auto& [name, value] : read.view()) {
      place.emplace(name, read.Text(name));
    }
  }
  return place;
}

std::optional<tables::Item> KeyAt(const Place& place) {
  if (place.empty()) {
    return std::nullopt;
  }
  contexts::ItemBuilder key;
  for (const auto& [name, text] : place) {
    key.Text(name, text);
  }
  return key.Build();
}

bool CanBeImageId(std::string_view id) {
  return !id.empty() && id.size() <= limits::kId.max && id.find('/') == std::string_view::npos;
}

Run::Run(const ScrubParts& from_parts, const ScrubOptions& from_options, ScrubState state,
         const ScrubEvents& events)
    : parts(from_parts),
      options(from_options),
      events_(events),
      state_(std::move(state)),
      saved_ms_(from_parts.clock.NowMs()) {}

void Run::Report(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (std::ranges::find(state_.findings, finding) != state_.findings.end()) {
      continue;
    }
    ++state_.counts.findings;
    if (state_.findings.size() < kFindingsMax) {
      state_.findings.push_back(finding);
    }
  }
}

Status Run::GoOn() {
  return events_.progress(state_)
             ? OkStatus()
             : Status(Error(ErrorKind::kUnavailable, "The scrub was stopped."));
}

Status Run::Save() {
  saved_ms_ = parts.clock.NowMs();
  return events_.save(state_);
}

Status Run::Advance(Place place) {
  state_.place = std::move(place);
  Status stopped = GoOn();
  const int64_t passed_ms = parts.clock.NowMs() - saved_ms_;
  // Clocks may be set back.
  if (!stopped.ok() || passed_ms >= options.save_interval.count() || passed_ms < 0) {
    RETURN_IF_ERROR(Save());
  }
  return stopped;
}

Status Run::BeginStage(std::string_view stage) {
  state_.stage = stage;
  return Advance({});
}

Status Run::KeepPace(int64_t bytes) {
  RETURN_IF_ERROR(GoOn());
  if (options.read_bytes_per_s <= 0) {
    return OkStatus();
  }
  // Bytes that were not read in time are not made up for.
  const int64_t rate = options.read_bytes_per_s;
  read_until_ms_ = std::max(read_until_ms_, parts.clock.NowMs()) + (bytes * 1000 + rate - 1) / rate;
  // A request to stop does not wait for it.
  constexpr int64_t kWaitMaxMs = 100;
  for (int64_t left = read_until_ms_ - parts.clock.NowMs(); left > 0;
       left = read_until_ms_ - parts.clock.NowMs()) {
    const std::chrono::milliseconds wait(std::min(left, kWaitMaxMs));
    if (options.sleep) {
      options.sleep(wait);
    } else {
      std::this_thread::sleep_for(wait);
    }
    RETURN_IF_ERROR(GoOn());
  }
  return OkStatus();
}

Result<bool> Run::IsInProgress(std::string_view id) {
  if (!CanBeImageId(id)) {
    return false;
  }
  for (const std::string_view type :
       {kDevelopWork, kDeleteWork, kReconcileWork, kAbandonWork, kRebuildImageWork}) {
    ASSIGN_OR_RETURN(const auto work, parts.backlog.Find(StrCat(type, "-", id)));
    // An image in the trash waits for its deletion, and is whole until then. Dead work is not going
    // to change.
    const bool waits =
        work && type == kDeleteWork && work->status == contexts::backlog::WorkStatus::kDelayed;
    if (work && !waits && work->status != contexts::backlog::WorkStatus::kDead) {
      return true;
    }
  }
  return false;
}

Result<bool> Run::HasOwner(const std::string& id) {
  if (id == known_ || !CanBeImageId(id)) {
    return id == known_;
  }
  ASSIGN_OR_RETURN(const auto image, parts.catalog.Find(id));
  ASSIGN_OR_RETURN(const bool in_progress, IsInProgress(id));
  if (image || in_progress) {
    known_ = id;
  }
  return image || in_progress;
}

}  // namespace tintype::flows::scrub
