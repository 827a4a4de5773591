#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tables/engine/commit/core.h"
#include "tables/language/schema.h"

namespace tintype::tables::engine {

/// A policy with a revision of its own; `before` is the one that it replaces, or null.
std::shared_ptr<const ResourcePolicy> NewResourcePolicy(
    std::string document, const std::shared_ptr<const ResourcePolicy>& before, int64_t now_ms);

/// The policy of an enabled or retired stream; null when it has none, or there is no such stream.
std::shared_ptr<const ResourcePolicy> PolicyOfStream(const Core& core, std::string_view arn);

}  // namespace tintype::tables::engine
