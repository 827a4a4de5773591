#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "contexts/catalog/catalog.h"
#include "contexts/people/image.h"
#include "flows/parts.h"

/// What a person changes about an image.
namespace tintype::flows {

using UpdateParts = Uses<DatabasePart, ClockPart, CatalogPart, PeoplePart>;

/// Changes title, description, alt text, tags or album, with the copies that other contexts have,
/// if the image is in the version that the person saw. Returns the new state. Errors: kNotFound
/// when there is no such image of this account, or it is in the trash; kConditionFailed when it has
/// another version by now; kValidation when something is too long.
Result<contexts::catalog::Image> UpdateImage(const UpdateParts& parts, const Account& account,
                                             std::string_view id, int64_t seen_version,
                                             const contexts::catalog::DetailsChange& change);

/// Shows an image in the feed, or not. That it is so already is fine. Errors: kNotFound.
Result<contexts::catalog::Image> SetImageVisibility(const UpdateParts& parts,
                                                    const Account& account, std::string_view id,
                                                    contexts::people::Visibility visibility);

}  // namespace tintype::flows
