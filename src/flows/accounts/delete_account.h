#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/accounts/manage_accounts.h"
#include "flows/parts.h"
#include "flows/uploads/upload.h"

/// Deleting an account with all that is its own. It is disabled at once; then one piece of work
/// goes over what there is, a page a turn, and queues the deletion of each image, which is the
/// document's lifecycle. When nothing is left, the account goes in one transaction, and its names
/// are free. Every turn looks at what there is now, so that it goes on after a crash as all work
/// does. Recovery and backups keep what they hold for their time, and the audit keeps what the
/// account did.
namespace tintype::flows {

inline constexpr std::string_view kDeleteAccountWork = "delete-account";

/// Those of uploads too, which are given up.
using DeleteAccountParts =
    Uses<ConfigPart, DatabasePart, BlobsPart, SpoolPart, BeginningsPart, ClockPart, IdsPart,
         AccountsPart, CatalogPart, IntakePart, PeoplePart, AnalysisPart, JobsPart, BacklogPart>;

/// Begins. That it has begun is fine. Errors: kNotFound; kOwnAccount when the actor means their own
/// by the way for others; identity::kAdministratorNoMore when the actor was disabled or demoted
/// meanwhile.
Status DeleteAccount(const DeleteAccountParts& parts, const Actor& actor,
                     std::string_view account_id);
/// The same by the owner. Errors: identity::kIsAdministrator, so that there is always one left.
Status DeleteOwnAccount(const DeleteAccountParts& parts, std::string_view account_id);

/// One turn. `work` is leased; it is complete when the account is gone.
Status ContinueDeleteAccount(const DeleteAccountParts& parts, const contexts::backlog::Work& work);

}  // namespace tintype::flows
