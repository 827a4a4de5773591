#pragma once

#include "tables/engine/commit/commit_group.h"
#include "tables/language/requests.h"

namespace tintype::tables::engine {

/// A table with an id of its own, as the request defines it, not yet stored. On the commit thread.
TableInfo NewTable(CommitGroup& group, CreateTableRequest request);

}  // namespace tintype::tables::engine
