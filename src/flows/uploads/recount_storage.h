#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/parts.h"
#include "flows/upkeep/upgrade.h"

/// Counts anew what is stored of every image, and charges its account with that: for galleries from
/// before there were quotas, and for whoever does not trust the numbers. One piece of work goes
/// over the images, and then over the accounts, of which it drops charges for what they have no
/// more, and mends the totals. Where it got to is in its input, so that it goes on after a crash as
/// all work does.
namespace tintype::flows {

using RecountParts =
    Uses<ConfigPart, DatabasePart, BlobsPart, ClockPart, CatalogPart, IntakePart, BacklogPart>;

/// The work, and its id: there is one at a time.
inline constexpr std::string_view kRecountWork = "recount-storage";

struct RecountProgress {
  int64_t seen = 0;  // Images looked at so far.
  bool ended = false;
};

/// Begins, or finds that it has begun and goes on. One that has ended begins anew.
Status StartRecount(const RecountParts& parts);

/// How far it is. One that has ended is there for some seconds more, for whoever waits for it:
/// nothing when none is going on, and when one was given up.
Result<std::optional<RecountProgress>> FindRecount(const RecountParts& parts);

/// One turn of it. `work` is leased.
Status ContinueRecount(const RecountParts& parts, const contexts::backlog::Work& work);

/// Charges an image with what is kept of it, if there is such an image. An edit or a deletion
/// meanwhile is noticed.
Status RecountImage(const RecountParts& parts, const std::string& id);

/// The turn of the upgrade that begins it.
Result<std::optional<UpgradePosition>> QueueRecount(const UpgradeParts& parts,
                                                    const UpgradePosition& from);

}  // namespace tintype::flows
