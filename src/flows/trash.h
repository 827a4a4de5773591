#pragma once

#include <string_view>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "flows/parts.h"

/// Into the trash and out of it.
namespace tintype::flows {

using TrashParts = Uses<ConfigPart, DatabasePart, ClockPart, CatalogPart, PeoplePart, BacklogPart>;

/// Takes an image out of every list; it is deleted when it has been in the trash for
/// ProductConfig::trash_kept. That it is there already is fine. Errors: kNotFound when there is no
/// such image of this account.
Result<contexts::catalog::Image> TrashImage(const TrashParts& parts, const Account& account,
                                            std::string_view id);

/// The same, to be deleted as soon as possible instead. That this has begun already is fine.
Status DeleteImageNow(const TrashParts& parts, const Account& account, std::string_view id);

/// Puts it back where it was. Errors: kNotFound, also when it is being deleted already.
Result<contexts::catalog::Image> RestoreImage(const TrashParts& parts, const Account& account,
                                              std::string_view id);

}  // namespace tintype::flows
