#pragma once

#include "metrics/registry.h"
#include "tables/engine/rocks_database.h"

namespace tintype::tables::engine {

/// Shows the figures of an engine, which outlives the registration.
metrics::Registration CollectEngine(metrics::Registry& registry, const RocksDatabase& database);

}  // namespace tintype::tables::engine
