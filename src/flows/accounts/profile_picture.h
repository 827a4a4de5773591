#pragma once

#include <string_view>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/parts.h"

/// Profile pictures. There is one blob, under the key that the Sparks document has for it, and the
/// account knows its SHA-256 and how often it has changed. The two stores have no transaction in
/// common, so a change is
///
/// 1. work that is due a minute later, in case this process dies;
/// 2. the blob, which is there as a whole or not at all;
/// 3. account and USER item, if nobody has changed the picture since before 2, and the work goes.
///
/// When somebody has, 2 and 3 are done again. So the last to change the record has also written the
/// blob last, and of several who do it at once, on any nodes, one has their picture. The work, if
/// it is ever done, makes the record say what the blob is.
namespace tintype::flows {

inline constexpr std::string_view kSettlePictureWork = "settle-picture";

using PictureParts =
    Uses<ConfigPart, DatabasePart, BlobsPart, ClockPart, AccountsPart, PeoplePart, BacklogPart>;

/// Makes a JPEG, which the darkroom made, the account's picture. Answers the account as it is then;
/// unchanged when this is its picture already. Errors: identity::kAccountDeleting; kValidation for
/// an email that is too long for a key; kOverloaded when others keep changing it.
Result<Account> SetProfilePicture(const PictureParts& parts, std::string_view account_id,
                                  std::string_view jpeg);

/// Takes the picture away. That there is none is fine. Errors: as above.
Result<Account> RemoveProfilePicture(const PictureParts& parts, std::string_view account_id);

/// The work: after a crash, has account and USER item say what is stored. When the account is gone,
/// what it has left goes, also when there is another one of its email by then. `work` is leased.
Status SettleProfilePicture(const PictureParts& parts, const contexts::backlog::Work& work);

}  // namespace tintype::flows
