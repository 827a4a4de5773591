#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/parts.h"

/// Makes images findable by how they look.
namespace tintype::flows {

using HashParts = Uses<DatabasePart, CatalogPart, BacklogPart>;

/// A step of development of its own: the image is found by its hash from now on, and no longer by
/// one that it had before. Errors: kNotFound when the image was deleted; kConditionFailed when the
/// lease is lost.
Status KeepHash(const HashParts& parts, const contexts::backlog::Work& work,
                std::optional<uint64_t> hash);

}  // namespace tintype::flows
