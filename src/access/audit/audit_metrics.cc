#include "access/audit/audit_metrics.h"

namespace tintype::access::audit {

metrics::Registration CollectAudit(metrics::Registry& registry, const Audit& audit) {
  return registry.Collect([&audit](metrics::Samples& out) {
    const AuditStats stats = audit.stats();
    metrics::Family& written =
        out.Counter("tintype_audit_entries_total", "Audit entries that were written, by kind.");
    for (const auto& [kind, number] : stats.written) {
      written.Sample({{"kind", kind}}, number);
    }
    metrics::Family& summarised =
        out.Counter("tintype_audit_summarised_total",
                    "Denials that were counted in a summary instead of an entry of their own.");
    for (const auto& [kind, number] : stats.summarised) {
      summarised.Sample({{"kind", kind}}, number);
    }
    out.Gauge("tintype_audit_queued", "Audit entries that wait to be written.")
        .Sample({}, stats.queued);
    metrics::Family& failures = out.Counter(
        "tintype_audit_failures_total",
        "Audit entries that went wrong: lost and refused ones found the queue full, late ones were "
        "not durable when their caller stopped waiting.");
    failures.Sample({{"reason", "lost"}}, stats.lost);
    failures.Sample({{"reason", "refused"}}, stats.refused);
    failures.Sample({{"reason", "late"}}, stats.late);
    out.Counter("tintype_audit_failed_commits_total",
                "Writes of the audit that the tables refused; each is tried again.")
        .Sample({}, stats.failed_commits);
    out.Counter("tintype_audit_trimmed_total", "Audit entries that were removed for their age.")
        .Sample({}, stats.trimmed);
    out.Counter("tintype_audit_damage_total",
                "Times the audit was found not to be as this server wrote it.")
        .Sample({}, stats.damage);
    out.Gauge("tintype_audit_head_sequence", "The number of this node's last audit entry.")
        .Sample({}, stats.head_sequence);
  });
}

}  // namespace tintype::access::audit
