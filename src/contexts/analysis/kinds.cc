#include "contexts/analysis/kinds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/strings.h"
#include "contexts/common/item.h"

namespace tintype::contexts::analysis {
namespace {

constexpr std::array<std::string_view, 5> kStatusNames = {"NOT_STARTED", "IN_PROGRESS", "COMPLETED",
                                                          "ERROR", "SKIPPED"};

KindResult KindFromMap(std::vector<std::string> path, const ItemReader& read) {
  KindResult kind;
  kind.path = std::move(path);
  const auto* const status = std::ranges::find(kStatusNames, read.Text("status"));
  kind.status = status == kStatusNames.end()
                    ? MediaStatus::kNotStarted
                    : static_cast<MediaStatus>(status - kStatusNames.begin());
  kind.output = read.OptionalText("output");
  kind.job_id = read.OptionalText("jobId");
  kind.start_time = read.OptionalText("startTime");
  kind.end_time = read.OptionalText("endTime");
  kind.reason = read.OptionalText("reason");
  return kind;
}

}  // namespace

std::string_view NameOf(MediaStatus status) { return kStatusNames[static_cast<size_t>(status)]; }

std::string NameOf(const KindResult& kind) {
  return kind.path.size() == 1 ? kind.path.front()
                               : StrCat(kind.path.front(), ".", kind.path.back());
}

std::vector<KindResult> KindsOf(const tables::Item& analysis) {
  std::vector<KindResult> kinds;
  const ItemReader data = ItemReader(analysis).Map("data");
  for (const auto& [service, value] : data.view()) {
    const ItemReader of_service = data.Map(service);
    if (of_service.Has("status")) {
      kinds.push_back(KindFromMap({std::string(service)}, of_service));
      continue;
    }
    for (const auto& [name, kind] : of_service.view()) {
      const ItemReader leaf = of_service.Map(name);
      if (leaf.Has("status")) {
        kinds.push_back(KindFromMap({std::string(service), std::string(name)}, leaf));
      }
    }
  }
  return kinds;
}

int64_t ProgressOf(const std::vector<KindResult>& kinds) {
  const auto count = [&](auto&& predicate) {
    return static_cast<double>(std::ranges::count_if(kinds, predicate));
  };
  const double total = count([](const KindResult& k) { return k.status != MediaStatus::kSkipped; });
  const double completed =
      count([](const KindResult& k) { return k.status == MediaStatus::kCompleted; });
  return total == 0 ? 100 : std::lround(completed / total * 100);
}

MediaStatus OverallOf(const std::vector<KindResult>& kinds) {
  const auto any = [&](MediaStatus status) {
    return std::ranges::any_of(kinds, [&](const KindResult& k) { return k.status == status; });
  };
  if (any(MediaStatus::kInProgress) ||
      (any(MediaStatus::kNotStarted) && any(MediaStatus::kCompleted))) {
    return MediaStatus::kInProgress;
  }
  if (any(MediaStatus::kNotStarted)) {
    return MediaStatus::kNotStarted;
  }
  if (any(MediaStatus::kError)) {
    return MediaStatus::kError;
  }
  return any(MediaStatus::kCompleted) ? MediaStatus::kCompleted : MediaStatus::kSkipped;
}

tables::Item KindItem(const KindResult& kind) {
  ItemBuilder item;
  item.Text("status", NameOf(kind.status))
      .MaybeText("output", kind.output)
      .MaybeText("jobId", kind.job_id)
      .MaybeText("startTime", kind.start_time)
      .MaybeText("endTime", kind.end_time)
      .MaybeText("reason", kind.reason);
  for (const auto& [name, value] : kind.details.view()) {
    item.Value(name, tables::Value::Copy(value));
  }
  return item.Build();
}

tables::Item KindsItem(const std::vector<KindResult>& kinds) {
  std::map<std::string_view, ItemBuilder> services;
  ItemBuilder data;
  for (const KindResult& kind : kinds) {
    if (kind.path.size() == 1) {
      data.Map(kind.path.front(), KindItem(kind));
    } else {
      services[kind.path.front()].Map(kind.path.back(), KindItem(kind));
    }
  }
  for (auto& [service, kinds_of_it] : services) {
    data.Map(service, kinds_of_it.Build());
  }
  return data.Build();
}

}  // namespace tintype::contexts::analysis
