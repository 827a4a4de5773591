#include "darkroom/darkroom_metrics.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/strings.h"

namespace tintype::darkroom {
namespace {

std::string Lower(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), ToLower);
  return lower;
}

void Show(metrics::Samples& out, std::string_view purpose, const DarkroomStats& stats) {
  out.Gauge("tintype_darkroom_helpers_running", "Image helper processes that run.")
      .Sample({{"for", purpose}}, stats.running);
  out.Gauge("tintype_darkroom_helpers_busy", "Image helper processes that are at work.")
      .Sample({{"for", purpose}}, stats.busy);
  out.Gauge("tintype_darkroom_waiting", "Calls that wait for an image helper.")
      .Sample({{"for", purpose}}, stats.waiting);
  out.Counter("tintype_darkroom_helpers_started_total", "Image helper processes that were started.")
      .Sample({{"for", purpose}}, stats.started);
  out.Counter("tintype_darkroom_templates_started_total",
              "Processes that image helpers are forked from that were started.")
      .Sample({{"for", purpose}}, stats.templates_started);
  metrics::Family& replaced =
      out.Counter("tintype_darkroom_helpers_replaced_total",
                  "Image helper processes that ended: failed ones died, hung or answered "
                  "nonsense, worn ones had done enough or had grown, unused ones made room for "
                  "those of other accounts.");
  replaced.Sample({{"for", purpose}, {"reason", "failed"}}, stats.replaced_failed);
  replaced.Sample({{"for", purpose}, {"reason", "worn"}}, stats.replaced_worn);
  replaced.Sample({{"for", purpose}, {"reason", "unused"}}, stats.replaced_unused);
  metrics::Family& failures =
      out.Counter("tintype_darkroom_failures_total",
                  "Pictures that an image helper could not do, by the kind of failure.");
  for (const auto& [kind, number] : stats.failures) {
    failures.Sample({{"for", purpose}, {"kind", Lower(FailureName(kind))}}, number);
  }
  metrics::Family& damaged =
      out.Counter("tintype_darkroom_damaged_total",
                  "Pictures that were developed of files that end early or are damaged, by which.");
  for (const auto& [damage, number] : stats.damaged) {
    damaged.Sample({{"for", purpose}, {"damage", DamageName(damage)}}, number);
  }
}

}  // namespace

metrics::Registration CollectHelpers(metrics::Registry& registry, std::string purpose,
                                     const Darkroom& darkroom) {
  return registry.Collect([purpose = std::move(purpose), &darkroom](metrics::Samples& out) {
    Show(out, purpose, darkroom.stats());
  });
}

metrics::Registration CollectSandbox(metrics::Registry& registry, const Darkroom& darkroom) {
  return registry.Collect([&darkroom](metrics::Samples& out) {
    out.Gauge("tintype_darkroom_sandboxed",
              "1 when the kernel keeps image helpers from files and the network.")
        .Sample({}, darkroom.sandboxed());
  });
}

}  // namespace tintype::darkroom
