#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/product.h"
#include "tables/language/changes.h"

/// What follows from writes that others made straight to our tables.
namespace tintype::flows {

inline constexpr std::string_view kReconcileWork = "reconcile";

/// The work that a change asks for: the deletion lifecycle when an image record was removed or has
/// expired, copies and postings when one was changed. Nothing for what this server did itself, and
/// for everything else.
std::optional<contexts::backlog::Work> ConsequenceOf(const Product& product,
                                                     const tables::Change& change);

/// The work together with what is known from queued work of the same id, whose place it takes.
Result<contexts::backlog::Work> JoinQueued(Product& product, contexts::backlog::Work work);

/// Makes the copies of an image's description and tags, and the postings of its tags, what the
/// image says. Writes only what differs. `work` is leased; it is complete when this succeeds.
Status ReconcileImage(Product& product, const contexts::backlog::Work& work);

}  // namespace tintype::flows
