#pragma once

#include <string_view>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "contexts/common/transaction.h"
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

/// Has an image deleted if it is in the trash since `until` or before. That it is not, or not any
/// more, is fine. Behind everything that others wait for, since there may be thousands.
Status DeleteTrashedImage(const TrashParts& parts, const Account& account, std::string_view id,
                          std::string_view until);

/// Puts it back where it was. Errors: kNotFound, also when it is being deleted already.
/// `also` is written together with it, if it was in the trash.
Result<contexts::catalog::Image> RestoreImage(const TrashParts& parts, const Account& account,
                                              std::string_view id,
                                              const contexts::Pieces& also = {});

}  // namespace tintype::flows
