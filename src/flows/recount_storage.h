#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/parts.h"
#include "flows/upgrade.h"

/// Counts anew what is stored of every image, and charges its account with that: for galleries from
/// before there were quotas, and for whoever does not trust the numbers. One piece of work goes
/// over the images; where it got to is in its input, so that it goes on after a crash as all work
/// does.
namespace tintype::flows {

using RecountParts = Uses<ConfigPart, DatabasePart, BlobsPart, ClockPart, CatalogPart, BacklogPart>;

/// The work, and its id: there is one at a time.
inline constexpr std::string_view kRecountWork = "recount-storage";

struct RecountProgress {
  int64_t seen = 0;  // Images looked at so far.
};

/// Begins, or finds that it has begun and goes on.
Status StartRecount(const RecountParts& parts);

/// How far it is; nothing when none is going on.
Result<std::optional<RecountProgress>> FindRecount(const RecountParts& parts);

/// One turn of it. `work` is leased.
Status ContinueRecount(const RecountParts& parts, const contexts::backlog::Work& work);

/// The turn of the upgrade that begins it.
Result<std::optional<UpgradePosition>> QueueRecount(const UpgradeParts& parts,
                                                    const UpgradePosition& from);

}  // namespace tintype::flows
