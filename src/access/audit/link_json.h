#pragma once

#include "access/audit/entry.h"
#include "json/writer.h"

namespace tintype::access::audit {

/// An entry as a JSON object, as `tintype audit --json` and the REST API show it. Empty members are
/// left out.
void WriteLink(json::Writer& json, const Link& link);

}  // namespace tintype::access::audit
