#pragma once

#include "access/audit/audit.h"
#include "metrics/registry.h"

namespace tintype::access::audit {

/// Shows what the audit has written and what it could not, while the registration lives; gone
/// before the audit is.
metrics::Registration CollectAudit(metrics::Registry& registry, const Audit& audit);

}  // namespace tintype::access::audit
