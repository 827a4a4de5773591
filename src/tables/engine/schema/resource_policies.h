#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tables/engine/commit/commit_group.h"
#include "tables/engine/commit/core.h"
#include "tables/language/schema.h"

namespace tintype::tables::engine {

/// A policy with a revision that no policy had before.
std::shared_ptr<const ResourcePolicy> NewResourcePolicy(CommitGroup& group, std::string document);

/// The policy of an enabled or retired stream; null when it has none, or there is no such stream.
std::shared_ptr<const ResourcePolicy> PolicyOfStream(const Core& core, std::string_view arn);

}  // namespace tintype::tables::engine
