#pragma once

#include <optional>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "contexts/catalog/image.h"
#include "contexts/common/transaction.h"
#include "flows/parts.h"
#include "flows/upkeep/upgrade.h"

/// The postings of the trash, by which it is listed. A posting tells when its image will be
/// deleted: that is the time of the work that deletes it, and both are written together, here.
namespace tintype::flows {

using TrashPostingParts = Uses<ConfigPart, ClockPart, CatalogPart, BacklogPart>;

/// Queues the deletion of an image, and posts its time if the image is in the trash. Refused with
/// kInUse when somebody has begun to delete it.
contexts::Pieces QueueDeletion(const Uses<ClockPart, BacklogPart>& parts,
                               const contexts::catalog::Image& image,
                               contexts::backlog::Work deletion);

/// What is missing so that an image in the trash is posted: with the time of its deletion, which is
/// queued if there is none. Nothing when it is posted, or not in the trash.
Result<contexts::Pieces> FindMissingTrashPosting(const TrashPostingParts& parts,
                                                 const contexts::catalog::Image& image);

/// A turn of the upgrade that posts images which were put into the trash before there were
/// postings.
Result<std::optional<UpgradePosition>> PostOldTrash(const UpgradeParts& parts,
                                                    const UpgradePosition& from);

}  // namespace tintype::flows
