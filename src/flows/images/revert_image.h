#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "flows/parts.h"

/// Brings an earlier picture of an image back.
namespace tintype::flows {

using RevertParts = Uses<ConfigPart, DatabasePart, BlobsPart, ClockPart, CatalogPart, BacklogPart>;

struct RevertRequest {
  int64_t seen_version = 0;  // The version of the image that the person saw.
  int64_t revision = 0;      // Which picture; 0 is the upload.
};

/// Makes a new revision that shows the picture of an earlier one, and goes on from its base and
/// operations. It is one transaction, and copies nothing: pictures of a revision stay for as long
/// as the image does. That the picture is the current one already is fine, and changes nothing. An
/// edit that took its number before stays a version among others; one that takes it later is
/// current when it is done. However many versions there are, one can go back: past a hundred
/// reverts the oldest is forgotten. Returns the new state. Errors: kNotFound when there is no such
/// image of this account, it is in the trash, or it has no such completed revision;
/// kConditionFailed when it is not developed, or has another version by now
/// (catalog::kVersionChanged).
Result<contexts::catalog::Image> RevertImage(const RevertParts& parts, const Account& account,
                                             std::string_view id, const RevertRequest& request);

}  // namespace tintype::flows
