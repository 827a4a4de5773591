#include "delivery/resizer_metrics.h"

namespace tintype::delivery {

metrics::Registration CollectResizer(metrics::Registry& registry, const Resizer& resizer,
                                     const ResizedCache& cache) {
  return registry.Collect([&resizer, &cache](metrics::Samples& out) {
    const ResizerStats stats = resizer.stats();
    out.Counter("tintype_resized_made_total", "Pictures that were resized for a link.")
        .Sample({}, stats.made);
    out.Counter("tintype_resized_found_total", "Resized pictures that the cache had.")
        .Sample({}, stats.found);
    out.Counter("tintype_resized_failed_total", "Pictures that could not be resized.")
        .Sample({}, stats.failed);
    out.Counter("tintype_resized_refused_total", "Requests refused because too many waited.")
        .Sample({}, stats.refused);
    out.Gauge("tintype_resize_waiting", "Pictures that wait to be resized.")
        .Sample({}, stats.waiting);
    out.Gauge("tintype_resize_cache_bytes", "Disk space that resized pictures take.")
        .Sample({}, cache.bytes());
  });
}

}  // namespace tintype::delivery
