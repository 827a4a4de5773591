#pragma once

#include "blobs/disk_room.h"
#include "metrics/registry.h"

namespace tintype::blobs {

/// Shows whether photos are refused for lack of room. `room` outlives the registration.
metrics::Registration CollectDiskRoom(metrics::Registry& registry, const DiskRoom& room);

}  // namespace tintype::blobs
