#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/parts.h"
#include "tables/language/changes.h"

/// What follows from writes that others made straight to our tables; README.md has the list.
/// Nothing follows for images without a record in ImageMetadata.
namespace tintype::flows {

using ReconcileParts = Uses<ConfigPart, DatabasePart, ClockPart, AccountsPart, CatalogPart,
                            IntakePart, PeoplePart, JobsPart, BacklogPart>;

inline constexpr std::string_view kReconcileWork = "reconcile";
inline constexpr std::string_view kReconcileJobWork = "reconcile-job";

/// The tables whose changes have consequences.
std::vector<std::string> ReconciledTables(const ProductConfig& config);

/// The work that a change asks for. Nothing for what this server did itself.
std::optional<contexts::backlog::Work> ConsequenceOf(const ReconcileParts& parts,
                                                     const tables::Change& change);

/// Whether the work would change anything, by what is in the tables now. For changes of which
/// nobody knows who made them: most are our own, and ask for nothing.
Result<bool> IsNeeded(const ReconcileParts& parts, const contexts::backlog::Work& work);

/// Adds what only `other`, work of the same id, knows.
void JoinWork(contexts::backlog::Work& work, const contexts::backlog::Work& other);
/// The work together with what is queued under its id.
Result<contexts::backlog::Work> JoinQueued(const ReconcileParts& parts,
                                           contexts::backlog::Work work);

/// Brings copies and postings in line with the image record, or begins its deletion when another
/// record of it was removed. `work` is leased; it is complete when this succeeds.
Status ReconcileImage(const ReconcileParts& parts, const contexts::backlog::Work& work);

}  // namespace tintype::flows
