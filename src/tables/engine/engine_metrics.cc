#include "tables/engine/engine_metrics.h"

namespace tintype::tables::engine {
namespace {

void ShowDisk(metrics::Samples& out, const RocksDatabase::DiskStatus& disk) {
  out.Gauge("tintype_disk_free_bytes", "Free space on the disk of the tables.")
      .Sample({}, disk.free_bytes);
  out.Gauge("tintype_disk_writes_refused",
            "1 while writes are refused because the disk is nearly full, else 0.")
      .Sample({}, disk.writes_refused);
}

}  // namespace

metrics::Registration CollectEngine(metrics::Registry& registry, const RocksDatabase& database) {
  return registry.Collect(
      [&database](metrics::Samples& out) { ShowDisk(out, database.disk_status()); });
}

}  // namespace tintype::tables::engine
