#pragma once

#include <functional>
#include <string>

#include "http/server/server.h"
#include "metrics/registry.h"

namespace tintype::http {

/// Shows the connections of one listener under its name. `stats` is called at every scrape, and
/// must stay valid as long as the registration.
metrics::Registration CollectConnections(metrics::Registry& registry, std::string listener,
                                         std::function<ServerStats()> stats);

}  // namespace tintype::http
