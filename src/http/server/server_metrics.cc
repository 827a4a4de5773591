#include "http/server/server_metrics.h"

#include <utility>

namespace tintype::http {

metrics::Registration CollectConnections(metrics::Registry& registry, std::string listener,
                                         std::function<ServerStats()> stats) {
  return registry.Collect([listener = std::move(listener),
                           stats = std::move(stats)](metrics::Samples& out) {
    const ServerStats now = stats();
    out.Gauge("tintype_http_connections_open", "Connections that are open now.")
        .Sample({{"listener", listener}}, now.connections_open);
    out.Counter("tintype_http_connections_accepted_total", "Connections that were accepted.")
        .Sample({{"listener", listener}}, now.connections_accepted);
    out.Counter("tintype_http_connections_refused_total",
                "Connections that were refused because there were too many.")
        .Sample({{"listener", listener}}, now.connections_refused);
    auto& shares = out.Counter("tintype_http_client_refusals_total",
                               "Connections and bodies that were refused because one client "
                               "had too many, or too much of them.");
    shares.Sample({{"listener", listener}, {"what", "connection"}}, now.client_connections_refused);
    shares.Sample({{"listener", listener}, {"what", "body"}}, now.client_bodies_refused);
    out.Gauge("tintype_http_unread_answer_bytes",
              "Memory of answers that clients have not read yet.")
        .Sample({{"listener", listener}}, now.unread_answer_bytes);
  });
}

}  // namespace tintype::http
