#include "blobs/disk_room_metrics.h"

namespace tintype::blobs {

metrics::Registration CollectDiskRoom(metrics::Registry& registry, const DiskRoom& room) {
  return registry.Collect([&room](metrics::Samples& out) {
    out.Gauge("tintype_disk_photos_refused",
              "1 while photos are refused because the disk is nearly full, else 0.")
        .Sample({}, !room.HasForIntake(0));
  });
}

}  // namespace tintype::blobs
