#pragma once

#include "tables/engine/core.h"

namespace tintype::tables::engine {

class CommitGroup;

/// Finds where the change log ends, so that positions and times go on from there.
Status LoadChangeLog(Core& core);

/// Removes records older than streams promise to keep them (24 hours). Cheap when there is nothing
/// to do; looks at most once a minute. On the commit thread.
void TrimChangeLog(CommitGroup& group);

}  // namespace tintype::tables::engine
